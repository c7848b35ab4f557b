import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { strictness } from '../strictness.ts';

const fixture = fileURLToPath(new URL('../../packages/vitest/src/__fixtures__/matcher-types.ts', import.meta.url));
const vitest = fileURLToPath(new URL('node_modules/vitest/dist/index.d.ts', import.meta.url));

// The ordinary type check covers the same file with the workspace's Vitest.
it.each(Object.entries(strictness))(
  'expect has the matchers with their types (%s)',
  { timeout: 120_000 },
  (_name, flags) => {
    const program = ts.createProgram([fixture], {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['@agent-criteria/source'],
      paths: { vitest: [vitest] },
      ...flags,
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      types: ['node'],
    });
    expect(program.getSourceFile(vitest.replaceAll('\\', '/'))).toBeDefined();
    // tsc checks those of our sources that it imports less strictly.
    const found = program.getSemanticDiagnostics(program.getSourceFile(fixture.replaceAll('\\', '/')));
    expect(
      found.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
    ).toEqual([]);
  },
);
