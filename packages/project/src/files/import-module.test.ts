import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { importFrom, importModule, resolveFrom } from './import-module.ts';

/** Finds the running Node and the versions from 20 upward in PATH, because every version from 20.19 is supported. */
function nodes(): readonly (readonly [version: string, command: string])[] {
  const folders = (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':');
  const commands = folders.filter((folder) => !folder.includes('node_modules')).map((folder) => join(folder, 'node'));
  const found = new Map<string, string>();
  for (const command of [process.execPath, ...commands]) {
    if (!existsSync(command)) continue;
    const version = execFileSync(command, ['--version'], { encoding: 'utf8' }).trim();
    if (!found.has(version) && Number.parseInt(version.slice(1), 10) >= 20) found.set(version, command);
  }
  return [...found];
}

// The types of Node 20 lack this function, but the tests run on Node 24.
const stripTypes = Reflect.get(nodeModule, 'stripTypeScriptTypes') as (source: string) => string;

const here = new URL('.', import.meta.url);

const typed = `interface Menu { readonly dish: string }


type Price = number;
`;
const throwing = `
function serve() {
  throw new TypeError('the kitchen is closed');
}
serve();
`;
const broken = "export const agent = () => { return 'x' 'y' };";
const leavesMark = "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('ran', import.meta.url), '');";

/** Projects by name, each with one module to import, whose name starts with `agent`. */
const projects = {
  whole: {
    'agent.ts': `${typed}
      import { setTimeout as sleep } from 'node:timers/promises';
      import { price } from './price.js';
      import menu from './menu.json' with { type: 'json' };
      import { oven } from 'oven';
      await sleep(1);
      const first: Menu = menu;
      export const agent = (): string => first.dish + price + oven;`,
    'price.ts': 'export const price: number = 1;',
    'menu.json': '{"dish": "soup"}',
    'node_modules/oven/package.json': { name: 'oven', type: 'module', exports: './index.js' },
    'node_modules/oven/index.js': 'export const oven = 1;',
  },
  throwsTs: { 'agent.ts': typed + throwing },
  throwsMts: { 'agent.mts': typed + throwing },
  throwsMjs: { 'agent.mjs': `\n\n\n\n${throwing}` },
  throwsInside: {
    'agent.ts': `${typed}import { dish } from './kitchen.ts';\nexport const agent = () => dish;`,
    'kitchen.ts': `${typed}throw new Error('no gas');\nexport const dish: string = 'soup';`,
  },
  brokenTs: { 'agent.ts': `${typed}${broken}\nimport './first.mjs';`, 'first.mjs': leavesMark },
  brokenMjs: { 'agent.mjs': `\n\n\n\n${broken}\nimport './first.mjs';`, 'first.mjs': leavesMark },
  brokenJs: { 'agent.js': `\n\n\n\nexports.agent = () => { return 'x' 'y' };` },
  brokenInside: { 'agent.mjs': "import './kitchen.mjs';\nexport const agent = 1;", 'kitchen.mjs': '\nconst a = ;\n' },
  throwsSyntaxError: { 'agent.mjs': "export const agent = 1;\nJSON.parse('{');\n" },
  noFileTs: { 'agent.ts': "import { dish } from './kitchen.mjs';\nexport const agent = () => dish;" },
  noFileMjs: { 'agent.mjs': "import { dish } from './kitchen.mjs';\nexport const agent = () => dish;" },
  noPackageTs: { 'agent.ts': "import { oven } from 'no-such-oven';\nexport const agent = () => oven;" },
  noPackageMjs: { 'agent.mjs': "import { oven } from 'no-such-oven';\nexport const agent = () => oven;" },
  moduleInScript: {
    'package.json': { type: 'commonjs' },
    'agent.js': "import { join } from 'node:path';\nexport const agent = () => join('a');",
  },
  exportInScript: { 'agent.cjs': "export const agent = () => 'a';" },
  awaitInScript: { 'package.json': { type: 'commonjs' }, 'agent.js': 'exports.agent = await 1;' },
  exportSlip: { 'agent.mjs': 'export const agent = [;\nexport const other = 1;' },
  exportInModule: { 'agent.mjs': 'const a = { export const agent = 1;' },
};
type Name = keyof typeof projects;

interface Imported {
  readonly exported?: readonly string[];
  readonly message: string;
  readonly stack: string;
  /** The error as formatted by `describeLoadError`. */
  readonly described: string;
}

/**
 * Imports the module of each project with this Node, in a process without the test runner. Compiles the code under test
 * first, because older versions of Node do not strip types.
 */
function importAll(node: string, folder: string): Record<Name, Imported> {
  const ours = join(folder, 'packages', 'project', 'src', 'files');
  for (const name of ['import-module', 'resolvable-package', 'missing-import', 'user-stack']) {
    const source = stripTypes(readFileSync(new URL(`${name}.ts`, here), 'utf8'));
    writeFileSync(join(ours, `${name}.mjs`), source.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.mjs'"));
  }
  symlinkSync(fileURLToPath(new URL('../../node_modules', here)), join(folder, 'packages', 'project', 'node_modules'));
  const files = Object.entries(projects).map(([name, content]) => [name, entryOf(folder, name, content)]);
  const script = `
    import { describeLoadError, importModule } from ${JSON.stringify(pathToFileURL(join(ours, 'import-module.mjs')))};
    import { userStack } from ${JSON.stringify(pathToFileURL(join(ours, 'user-stack.mjs')))};
    const results = {};
    for (const [name, file] of ${JSON.stringify(files)}) {
      try {
        results[name] = { exported: Object.keys(await importModule(file)) };
      } catch (error) {
        results[name] = { message: error.message, stack: userStack(error), described: describeLoadError(error) };
      }
    }
    console.log(JSON.stringify(results));`;
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(node, args, { encoding: 'utf8', cwd: folder, stdio }));
}

function entryOf(folder: string, name: string, content: object): string {
  return join(folder, name, Object.keys(content).find((file) => file.startsWith('agent')) ?? '');
}

describe.each(nodes())('importModule on Node %s', (_version, node) => {
  let folder: string;
  let imported: Record<Name, Imported>;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-criteria-test-')));
    mkdirSync(join(folder, 'packages', 'project', 'src', 'files'), { recursive: true });
    for (const [name, content] of Object.entries(projects)) writeFiles(join(folder, name), content);
    imported = importAll(node, folder);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('imports TypeScript with types, .js for .ts, JSON, top-level await and packages', () => {
    expect(imported.whole).toEqual({ exported: ['agent'] });
    expect(readdirSync(join(folder, 'whole')).sort()).toEqual(['agent.ts', 'menu.json', 'node_modules', 'price.ts']);
  });

  it.each(['throwsTs', 'throwsMts', 'throwsMjs'] as const)("shows only the user's frames of an error: %s", (name) => {
    const path = entryOf(folder, name, projects[name]);
    const file = path.endsWith('js') ? pathToFileURL(path).href : path;
    const { stack, described } = imported[name];
    expect(stack).toBe(`TypeError: the kitchen is closed\n    at serve (${file}:7:9)\n    at ${file}:9:1`);
    expect(described).toBe(`the kitchen is closed (at ${path}:7:9)`);
  });

  it('shows the location of an error in a module that the agent imports', () => {
    const { stack } = imported.throwsInside;
    const file = join(folder, 'throwsInside', 'kitchen.ts');
    expect(stack.split('\n').slice(0, 2)).toEqual(['Error: no gas', `    at ${file}:5:7`]);
    expect(stack).not.toMatch(/jiti|node:internal/);
  });

  it.each(['brokenTs', 'brokenMjs', 'brokenJs'] as const)(
    'shows the location of a syntax error, and runs no code: %s',
    (name) => {
      const { stack, message } = imported[name];
      expect(`${message}\n${stack}`).toContain(`${entryOf(folder, name, projects[name])}:5`);
      expect(existsSync(join(folder, name, 'ran'))).toBe(false);
    },
  );

  it('shows the location of a syntax error in a module that a JavaScript agent imports', () => {
    const file = join(folder, 'brokenInside', 'kitchen.mjs');
    expect(imported.brokenInside.stack).toContain(`${file}:2\nconst a = ;\n          ^`);
  });

  it('preserves the location of a SyntaxError that the module itself throws', () => {
    expect(imported.throwsSyntaxError.stack).toContain('agent.mjs:2:6');
  });

  it.each(['moduleInScript', 'exportInScript', 'awaitInScript'] as const)(
    'explains how to fix an ES module that Node reads as CommonJS: %s',
    (name) => {
      expect(imported[name].described).toMatch(
        /; Node reads this file as CommonJS, but it is written as an ES module: name it \.mjs, or add "type": "module"/,
      );
    },
  );

  it.each(['brokenJs', 'brokenMjs', 'exportSlip', 'exportInModule'] as const)(
    'does not mention CommonJS for other syntax errors: %s',
    (name) => {
      expect(imported[name].described).not.toContain('CommonJS');
    },
  );

  it.each(['noFileTs', 'noFileMjs'] as const)('names the missing file and its importer: %s', (name) => {
    expect(imported[name].message).toContain('kitchen.mjs');
    expect(imported[name].message).toContain(entryOf(folder, name, projects[name]));
  });

  it.each(['noPackageTs', 'noPackageMjs'] as const)('names the missing package and its importer: %s', (name) => {
    expect(imported[name].message).toContain("'no-such-oven'");
    expect(imported[name].message).toContain(entryOf(folder, name, projects[name]));
  });
});

describe('importFrom and resolveFrom', () => {
  const files = {
    'project/importer.js': '',
    'project/local.ts': 'export const here: string = "local";',
    'project/node_modules/oven/package.json': {
      name: 'oven',
      type: 'module',
      exports: { '.': './index.js', './pure': './pure.js' },
    },
    'project/node_modules/oven/index.js': 'export const here = "package";',
    'project/node_modules/oven/pure.js': 'throw new Error("imported")',
    'elsewhere/importer.js': '',
  };

  it('importFrom resolves from the given folder', async () => {
    const folder = folderOf(files);
    expect(await importFrom('oven', join(folder, 'project'))).toMatchObject({ here: 'package' });
    expect(await importFrom('./local.ts', join(folder, 'project'))).toMatchObject({ here: 'local' });
    await expect(importFrom('oven', join(folder, 'elsewhere'))).rejects.toMatchObject({ code: 'MODULE_NOT_FOUND' });
  });

  it('resolveFrom resolves without importing', async () => {
    const folder = folderOf(files);
    expect(await resolveFrom('oven/pure', join(folder, 'project'))).toContain('/oven/pure.js');
    expect(await resolveFrom('oven/nothing', join(folder, 'project'))).toBeUndefined();
    expect(await resolveFrom('oven', join(folder, 'elsewhere'))).toBeUndefined();
    symlinkSync(join(folder, 'project', 'node_modules'), join(folder, 'elsewhere', 'node_modules'));
    expect(await resolveFrom('oven', join(folder, 'elsewhere'))).toContain('/oven/index.js');
  });
});

it('importModule caches compiled code only in NODE_COMPILE_CACHE', async () => {
  const folder = folderOf({ 'a.ts': 'export const dish: string = "soup";', 'node_modules/empty': '' });
  const all = () => readdirSync(folder).sort();
  vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  await importModule(join(folder, 'a.ts'));
  expect([all(), readdirSync(join(folder, 'node_modules'))]).toEqual([['a.ts', 'node_modules'], ['empty']]);
  vi.stubEnv('NODE_COMPILE_CACHE', join(folder, 'compiled'));
  const copy = folderOf({ 'a.ts': 'export const dish: string = "fish";' });
  expect(await importModule(join(copy, 'a.ts'))).toMatchObject({ dish: 'fish' });
  expect(readdirSync(join(folder, 'compiled/jiti'))).toHaveLength(1);
  expect(readdirSync(copy)).toEqual(['a.ts']);
  vi.unstubAllEnvs();
});
