// Owns the lint rules of every part of the repository. It must never check layout: that is prettier's.

import eslint from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { keptAddresses } from './scripts/kept-addresses.js'

const unusedVariables = ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }]

const nodeGlobals = Object.fromEntries(
  [
    'AbortController',
    'AbortSignal',
    'Buffer',
    'TextDecoder',
    'TextEncoder',
    'URL',
    'WebAssembly',
    'clearInterval',
    'clearTimeout',
    'console',
    'fetch',
    'gc',
    'performance',
    'process',
    'queueMicrotask',
    'setImmediate',
    'setInterval',
    'setTimeout',
    'structuredClone',
  ].map((name) => [name, 'readonly']),
)

const browserGlobals = Object.fromEntries(
  [
    'Blob',
    'KeyboardEvent',
    'OffscreenCanvas',
    'URLSearchParams',
    'Worker',
    'addEventListener',
    'crossOriginIsolated',
    'dispatchEvent',
    'document',
    'getComputedStyle',
    'history',
    'location',
    'navigator',
    'postMessage',
  ].map((name) => [name, 'readonly']),
)

/** A frame, a context of node:vm and Jest have classes of their own: a value of theirs is an instance of none of ours. */
const CLASSES_OF_THE_LANGUAGE =
  '(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|(?:Big)?(?:Ui|I)nt\\d+(?:Clamped)?Array|Float\\d+Array|(?:Shared)?ArrayBuffer|DataView|(?:Async|Generator|AsyncGenerator)?Function|(?:Weak)?(?:Map|Set|Ref)|Array|BigInt|Boolean|Date|FinalizationRegistry|Number|Object|Promise|Proxy|RegExp|String|Symbol|URL|URLSearchParams|Text(?:En|De)coder|Blob'
const instancesOfTheLanguage = [
  `BinaryExpression[operator='instanceof'][right.name=/^(?:${CLASSES_OF_THE_LANGUAGE})$/]`,
  `BinaryExpression[operator='instanceof'][right.object.name=/^(?:WebAssembly|globalThis|Intl)$/]`,
].map((selector) => ({
  selector,
  message:
    'A value of another realm is no instance of this class: ask what it is by bindings/memory/realms.ts, Array.isArray, or in Node by types of node:util.',
}))

/** Where the prototypes of the language are frozen, an assignment to a name that is inherited from them throws. */
const INHERITED = '(?:constructor|hasOwnProperty|isPrototypeOf|toLocaleString|toString|valueOf)'
const assignmentsOfInherited = [
  `AssignmentExpression > MemberExpression.left[property.name=/^${INHERITED}$/]`,
  `CallExpression[callee.object.name='Object'][callee.property.name='assign'] > ObjectExpression > Property[key.name=/^${INHERITED}$/]`,
  `ClassDeclaration[superClass.name=/Error$/] > ClassBody > PropertyDefinition[declare=false][key.name=/^(?:name|message)$/]`,
  `ClassDeclaration[superClass.name=/Error$/] AssignmentExpression > MemberExpression.left[object.type='ThisExpression'][property.name='name']`,
].map((selector) => ({
  selector,
  message:
    'All objects inherit this name, and a host may have frozen it: define it, as a method, a getter or by Object.defineProperty.',
}))

/** What runs in a browser and stands in tsconfig.json: the core, and the packages whose entries stand on it. */
const LIBRARY = [
  'bindings/**/*.ts',
  'packages/{arrow,react,three,workers}/src/**/*.ts',
  'packages/compile/src/{compile,functions,loopCompiler}/**/*.ts',
  'packages/inspector/src/inspect/**/*.ts',
]

/** The rules of a folder with a tsconfig.json of its own; kernels in it are AssemblyScript. */
const typeChecked = (name, folder) => ({
  name,
  files: [`${folder}/**/*.{ts,tsx}`],
  ignores: ['**/*.kernel.ts'],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: {
    parserOptions: { project: `./${folder}/tsconfig.json`, tsconfigRootDir: import.meta.dirname },
  },
  rules: {
    '@typescript-eslint/no-unused-vars': unusedVariables,
    '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'no-duplicate-imports': 'error',
    'no-restricted-syntax': ['error', ...instancesOfTheLanguage, ...assignmentsOfInherited],
    eqeqeq: 'error',
  },
})

export default defineConfig(
  globalIgnores([
    'build/',
    'dist/',
    'packages/ensemble/dist/',
    'coverage/',
    '**/node_modules/',
    'examples/*/out/',
    'bench/results/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  {
    name: 'JavaScript in Node',
    files: ['**/*.js'],
    extends: [eslint.configs.recommended],
    languageOptions: { globals: nodeGlobals },
    rules: {
      'no-unused-vars': unusedVariables,
      'no-duplicate-imports': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },

  {
    name: 'what the library keeps of memory',
    files: LIBRARY,
    ignores: ['bindings/memory/heap.ts'],
    plugins: { house: { rules: { 'kept-addresses': keptAddresses } } },
    rules: { 'house/kept-addresses': 'error' },
  },

  {
    name: 'JavaScript in a browser, all or parts of it',
    files: [
      'bench/page/**/*.js',
      'tests/bench/page.browser.test.js',
      'tests/loading/pages/everywhere.js',
      'tests/tools/browser.test.js',
    ],
    languageOptions: { globals: browserGlobals },
  },

  {
    name: 'JavaScript of the site in a browser, and what drives it',
    files: [
      'packages/site/live/**/*.js',
      'packages/site/tests/**/*.js',
      'packages/site/tests/support/site.js',
    ],
    languageOptions: { globals: { ...browserGlobals, demo: 'readonly' } },
  },

  {
    name: 'JavaScript that drives the page of the swarm',
    files: [
      'examples/swarm/picture.js',
      'tests/examples/swarm.browser.test.js',
      'tests/support/swarmPage.js',
    ],
    languageOptions: { globals: { ...browserGlobals, demo: 'readonly' } },
  },

  {
    name: 'JavaScript that drives the pages of the orrery and of the examples rollback, panel and instances',
    files: ['tests/examples/{instances,orrery,panel,rollback}.browser.test.js'],
    languageOptions: { globals: { ...browserGlobals, demo: 'readonly' } },
  },

  {
    name: 'JavaScript that drives the page of the inspector, and its scene',
    files: ['packages/inspector/tests/element/**/*.js', 'packages/inspector/tests/support/page.js'],
    languageOptions: {
      globals: {
        ...browserGlobals,
        demo: 'readonly',
        scene: 'readonly',
        axe: 'readonly',
        Event: 'readonly',
        requestAnimationFrame: 'readonly',
      },
    },
  },

  {
    name: 'the library',
    files: LIBRARY,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': unusedVariables,
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-duplicate-imports': 'error',
      'no-restricted-syntax': ['error', ...instancesOfTheLanguage, ...assignmentsOfInherited],
      eqeqeq: 'error',
    },
  },

  {
    name: 'the library outside of the session',
    files: LIBRARY,
    ignores: ['bindings/state/session.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          `AssignmentExpression[left.property.name='locks']`,
          `UpdateExpression[argument.property.name='locks']`,
        ].map((selector) => ({
          selector,
          message: 'Only state/session.ts counts locks: call lock, unlock or release.',
        })),
        {
          selector: `CallExpression[callee.property.name='entities'][callee.object.name!='owners'][arguments.length=0]`,
          message:
            'A look of the user’s: it uses up what has changed. What the library lists for itself is list().',
        },
        ...instancesOfTheLanguage,
        ...assignmentsOfInherited,
      ],
    },
  },

  {
    ...typeChecked('compilers', 'packages/kernels'),
    files: ['packages/kernels/src/**/*.ts', 'packages/compile/src/ahead/**/*.ts'],
  },
  { ...typeChecked('ensemble', 'packages/ensemble'), files: ['packages/ensemble/src/**/*.ts'] },
  { ...typeChecked('inspector', 'packages/inspector'), files: ['packages/inspector/src/element/**/*.ts'] },
  { ...typeChecked('pages of examples', 'examples'), files: ['examples/{page,*/src}/**/*.{ts,tsx}'] },

  {
    name: 'tests',
    files: ['tests/**/*.ts', 'packages/*/tests/**/*.ts'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-unused-vars': unusedVariables,
      'no-duplicate-imports': 'error',
      eqeqeq: 'error',
      // Tests hand over what the types forbid, to see it refused.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },

  {
    // AssemblyScript is no TypeScript: decorators stand before functions, == is exact, there is no type checker.
    name: 'core',
    files: ['assembly/**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: { allowInvalidAST: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': unusedVariables,
      'no-duplicate-imports': 'error',
      'no-dupe-else-if': 'error',
      'no-self-assign': 'error',
      'no-self-compare': 'error',
      'no-unreachable': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
)
