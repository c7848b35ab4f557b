import type { CompilerOptions } from 'typescript';

/**
 * The strictness of users' TypeScript settings: our types, examples and snippets compile with the least and the most
 * strict.
 */
export const strictness = {
  'plain strict': { strict: true },
  'every strict flag': {
    strict: true,
    allowUnreachableCode: false,
    allowUnusedLabels: false,
    erasableSyntaxOnly: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    noFallthroughCasesInSwitch: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUncheckedSideEffectImports: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
  },
} satisfies Readonly<Record<string, CompilerOptions>>;
