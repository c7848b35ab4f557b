// Long: loads and bundles every package.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leaveOut } from './bundled.ts';
import { bundles } from './bundles.ts';
import { folderOf } from './folder.ts';
import { placeOf } from './house.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Compiles each source with its imports into one file, similar to the published files. */
async function compiled(sources: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderOf({});
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: join(root, source), out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    conditions: ['@agent-criteria/source'],
    logLevel: 'silent',
  });
  return folder;
}

describe('two copies of core', () => {
  it("share one registry, and accept each other's errors and criteria", async () => {
    // The criterion and the runner each have their own core, like two packages with separate dependencies.
    const folder = await compiled({
      criterion: 'packages/criteria-rouge/src/index.ts',
      core: 'packages/core/src/index.ts',
      host: 'packages/core/src/host.ts',
      runner: 'packages/runner/src/index.ts',
    });
    writeFileSync(
      join(folder, 'main.mjs'),
      `import './criterion.mjs';
       import { CriteriaError } from './core.mjs';
       import { defaultRegistry, createRegistry } from './host.mjs';
       import { evaluate } from './runner.mjs';
       const turn = (answer) => ({ userContent: { parts: [{ text: 'Hi' }] }, finalResponse: { parts: [{ text: answer }] } });
       const { verdict, exitCode } = await evaluate({
         agent: (text) => text,
         evalSet: { evalSetId: 's', evalCases: [{ evalId: 'c', conversation: [turn('Hi')] }] },
         config: { criteria: { response_match_score: 1 } },
       });
       let error;
       try { createRegistry([{ kind: 'nothing' }]); } catch (thrown) { error = thrown; }
       console.log(JSON.stringify({
         found: defaultRegistry().get('criterion', 'response_match_score')?.name,
         isInstance: error instanceof CriteriaError, isKnown: CriteriaError.is(error), verdict, exitCode,
       }));`,
    );
    const out = execFileSync(process.execPath, [join(folder, 'main.mjs')], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual({
      found: 'response_match_score',
      isInstance: false,
      isKnown: true,
      verdict: 'passed',
      exitCode: 0,
    });
  });
});

describe('require', () => {
  it('loads every package from CommonJS, because none has a top-level await', async () => {
    const [hook = ''] = await bundles();
    const folder = join(dirname(fileURLToPath(hook.replace('--import=', ''))), 'node_modules/@agent-criteria');
    // Except the package for Vitest, which CommonJS cannot load.
    const names = readdirSync(folder).filter(
      (name) => name !== 'vitest' && existsSync(join(folder, name, 'index.mjs')),
    );
    expect(names.length).toBeGreaterThan(25);
    const main = join(folderOf({}), 'main.cjs');
    writeFileSync(
      main,
      `const count = (name) => [name, Object.keys(require(${JSON.stringify(folder)} + '/' + name + '/index.mjs')).length];
       console.log(JSON.stringify(${JSON.stringify(names)}.map(count)));`,
    );
    const out = execFileSync(process.execPath, ['--no-warnings', main], { encoding: 'utf8' });
    const found: readonly (readonly [string, number])[] = JSON.parse(out);
    expect(found.filter(([, exported]) => exported === 0)).toEqual([]);
    expect(found.map(([name]) => name)).toEqual(names);
  });
});

describe('a bundle', () => {
  it('keeps the registrations of plugins that are only imported', async () => {
    const plugins = readdirSync(join(root, 'packages')).filter((name) => placeOf(name)?.kind === 'plugin');
    const folder = folderOf({});
    const outfile = join(folder, 'bundle.mjs');
    const imports = plugins.map((name) => `import '@agent-criteria/${name}';`);
    await build({
      stdin: {
        contents: `${imports.join('\n')}
          import { defaultRegistry } from '@agent-criteria/core/host';
          const all = ['criterion', 'model-provider', 'user-simulator', 'tool-simulator', 'agent-adapter']
            .flatMap((kind) => defaultRegistry().list(kind));
          console.log(JSON.stringify([...new Set(all.map(({ origin }) => origin.package))]));`,
        resolveDir: root,
      },
      absWorkingDir: root,
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      mainFields: ['module', 'main'],
      conditions: ['@agent-criteria/source'],
      logLevel: 'silent',
      plugins: [leaveOut],
    });
    const out = execFileSync(process.execPath, ['--no-warnings', outfile], { encoding: 'utf8' });
    expect(JSON.parse(out).sort()).toEqual(plugins.map((name) => `@agent-criteria/${name}`).sort());
  });
});
