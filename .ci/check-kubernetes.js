// Writes each resource of deploy/kubernetes.yaml as a constant of its type into a TypeScript file, which tsc then
// checks: it knows every field of Kubernetes, so a misspelled one fails too. The argument is the file to write.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

const constants = parseAllDocuments(readFileSync('deploy/kubernetes.yaml', 'utf8')).map(
  (document, index) => {
    const resource = document.toJS()
    const { apiVersion, kind } = resource
    const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io/', '/')
    const type = `import('kubernetes-types/${module}').${kind}`
    return `export const resource${index}: ${type} = ${JSON.stringify(resource, null, 2)}\n`
  },
)
writeFileSync(process.argv[2], constants.join(''))
