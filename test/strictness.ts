import type { CompilerOptions } from 'typescript';

/** How strict a user's TypeScript may be: our types, examples and snippets compile with the least and the most. */
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
