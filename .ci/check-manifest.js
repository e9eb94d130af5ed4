// Checks manifest.yml, and what `npm run manifest` prints, against Slack's own schema.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

const [schemaPath = ''] = process.argv.slice(2)
const schema = JSON.parse(readFileSync(schemaPath, 'utf8'))
const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)

const printed = (...args) =>
  execFileSync(process.execPath, ['src/main.cjs', 'manifest', ...args], { encoding: 'utf8' })

const manifests = {
  'manifest.yml': readFileSync('manifest.yml', 'utf8'),
  'npm run manifest -- --url': printed('--url', 'https://links.example.com'),
  'npm run manifest -- --socket': printed('--socket'),
}
for (const [name, text] of Object.entries(manifests)) {
  if (validate(parse(text))) console.log(`${name} agrees with Slack's schema`)
  else {
    console.error(`${name} does not agree with Slack's schema:`, validate.errors)
    process.exitCode = 1
  }
}
