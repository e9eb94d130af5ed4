import { defineConfig } from 'eslint/config'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { OLD_WORDS } from './docs/old-words.ts'

const oldWords = OLD_WORDS.map(([use, words]) => {
  const pattern = String.raw`/(?<!\w)(?:${words})(?!\w)/iu`
  return {
    selector: `:matches(Literal[value=${pattern}], TemplateElement[value.raw=${pattern}])`,
    message: `${use} (CONTRIBUTING.md, “Words”).`,
  }
})

const spreadLiteral = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the members into the outer object.',
}

export default defineConfig(
  { ignores: ['data/**', 'node_modules/**'] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', '.ci/*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      'no-restricted-syntax': ['error', spreadLiteral],
    },
  },
  {
    // The time that a pattern takes must not grow with the square of an input, which may come from anyone.
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignorePartial: false }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/database/migrations/**'],
    rules: { 'no-restricted-syntax': ['error', spreadLiteral, ...oldWords] },
  },
  { files: ['**/*.{js,cjs}'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
)
