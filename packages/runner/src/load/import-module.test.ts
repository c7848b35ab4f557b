import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOf } from '../__fixtures__/folder.ts';
import { importFrom, resolveFrom } from './import-module.ts';

/** The Node that runs this, and the one of the system where there is another: we promise 20.19 and later. */
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

// Our types are those of Node 20, our tests run on 24.
const stripTypes = Reflect.get(nodeModule, 'stripTypeScriptTypes') as (source: string) => string;

const here = new URL('.', import.meta.url);
let ours: string;

// Compiled for a Node that reads no types, and with nothing of a test runner around it.
beforeAll(() => {
  ours = mkdtempSync(join(tmpdir(), 'agent-criteria-test-'));
  mkdirSync(join(ours, 'load'));
  for (const name of ['import-module', 'user-stack']) {
    const source = stripTypes(readFileSync(new URL(`${name}.ts`, here), 'utf8'));
    writeFileSync(join(ours, 'load', `${name}.mjs`), source.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.mjs'"));
  }
  symlinkSync(fileURLToPath(new URL('../../node_modules', here)), join(ours, 'node_modules'));
});
afterAll(() => rmSync(ours, { recursive: true }));

interface Imported {
  readonly exported?: readonly string[];
  readonly message: string;
  readonly stack: string;
  /** On one line. */
  readonly described: string;
}

/** What comes of importing a module on a Node. */
function importBy(node: string, folder: string, file: string): Imported {
  const from = (name: string) => JSON.stringify(pathToFileURL(join(ours, 'load', `${name}.mjs`)));
  const script = `
    import { describeLoadError, importModule } from ${from('import-module')};
    import { userStack } from ${from('user-stack')};
    try {
      console.log(JSON.stringify({ exported: Object.keys(await importModule(${JSON.stringify(join(folder, file))})) }));
    } catch (error) {
      console.log(JSON.stringify({ message: error.message, stack: userStack(error), described: describeLoadError(error) }));
    }`;
  return JSON.parse(execFileSync(node, ['--input-type=module', '--eval', script], { encoding: 'utf8', cwd: folder }));
}

const typed = `interface Menu { readonly dish: string }


type Price = number;
`;

describe.each(nodes())('importModule on Node %s', (_version, node) => {
  it('imports TypeScript with all that a project has: types, .js for .ts, JSON, top-level await, packages', () => {
    const folder = folderOf({
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
    });
    expect(importBy(node, folder, 'agent.ts')).toEqual({ exported: ['agent'] });
    expect(readdirSync(folder).sort()).toEqual(['agent.ts', 'menu.json', 'node_modules', 'price.ts']);
  });

  it.each(['agent.ts', 'agent.mts', 'agent.mjs'])(
    "shows the lines of %s where it throws, and no frame but the user's",
    (name) => {
      const source = `${name.endsWith('js') ? '\n\n\n\n' : typed}
function serve() {
  throw new TypeError('the kitchen is closed');
}
serve();
`;
      const folder = folderOf({ [name]: source });
      const file = name.endsWith('js') ? `file://${join(folder, name)}` : join(folder, name);
      const failed = importBy(node, folder, name);
      expect(failed.stack).toBe(`TypeError: the kitchen is closed\n    at serve (${file}:7:9)\n    at ${file}:9:1`);
      expect(failed.described).toBe(`the kitchen is closed (at ${join(folder, name)}:7:9)`);
    },
  );

  it('shows the lines of a module that the agent imports', () => {
    const folder = folderOf({
      'agent.ts': `${typed}import { dish } from './kitchen.ts';\nexport const agent = () => dish;`,
      'kitchen.ts': `${typed}throw new Error('no gas');\nexport const dish: string = 'soup';`,
    });
    const { stack } = importBy(node, folder, 'agent.ts');
    expect(stack.split('\n').slice(0, 2)).toEqual(['Error: no gas', `    at ${join(folder, 'kitchen.ts')}:5:7`]);
    expect(stack).not.toMatch(/jiti|node:internal/);
  });

  it.each([
    ['agent.ts', `${typed}export const agent = () => { return 'x' 'y' };`, 5],
    ['agent.mjs', "\n\n\nexport const agent = () => { return 'x' 'y' };", 4],
    ['agent.js', "\n\n\nexports.agent = () => { return 'x' 'y' };", 4],
  ])('shows the place of a syntax error in %s, and runs nothing', (name, source, line) => {
    const first = name.endsWith('.js') ? '' : `import './first.mjs';`;
    const folder = folderOf({
      [name]: `${source}\n${first}`,
      'first.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync('ran', '');",
    });
    const { stack, message } = importBy(node, folder, name);
    expect(`${message}\n${stack}`).toContain(`${join(folder, name)}:${line}`);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('shows the place of a syntax error in a module that a JavaScript agent imports', () => {
    const folder = folderOf({
      'agent.mjs': "import './kitchen.mjs';\nexport const agent = 1;",
      'kitchen.mjs': '\nconst a = ;\n',
    });
    expect(importBy(node, folder, 'agent.mjs').stack).toContain(
      `${join(folder, 'kitchen.mjs')}:2\nconst a = ;\n          ^`,
    );
  });

  it('leaves a syntax error that the module throws itself as it is', () => {
    const folder = folderOf({ 'agent.mjs': "export const agent = 1;\nJSON.parse('{');\n" });
    expect(importBy(node, folder, 'agent.mjs').stack).toContain('agent.mjs:2:6');
  });

  it.each(['agent.ts', 'agent.mjs'])('names the missing file and who imports it: %s', (name) => {
    const folder = folderOf({ [name]: "import { dish } from './kitchen.mjs';\nexport const agent = () => dish;" });
    const { message } = importBy(node, folder, name);
    expect(message).toContain('kitchen.mjs');
    expect(message).toContain(join(folder, name));
  });

  it.each(['agent.ts', 'agent.mjs'])('names the missing package and who imports it: %s', (name) => {
    const folder = folderOf({ [name]: "import { oven } from 'no-such-oven';\nexport const agent = () => oven;" });
    const { message } = importBy(node, folder, name);
    expect(message).toContain("'no-such-oven'");
    expect(message).toContain(join(folder, name));
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

  it('look from the folder that they are given', async () => {
    const folder = folderOf(files);
    expect(await importFrom('oven', join(folder, 'project'))).toMatchObject({ here: 'package' });
    expect(await importFrom('./local.ts', join(folder, 'project'))).toMatchObject({ here: 'local' });
    await expect(importFrom('oven', join(folder, 'elsewhere'))).rejects.toMatchObject({ code: 'MODULE_NOT_FOUND' });
  });

  it('resolve without importing', async () => {
    const folder = folderOf(files);
    expect(await resolveFrom('oven/pure', join(folder, 'project'))).toContain('/oven/pure.js');
    expect(await resolveFrom('oven/nothing', join(folder, 'project'))).toBeUndefined();
    expect(await resolveFrom('oven', join(folder, 'elsewhere'))).toBeUndefined();
    symlinkSync(join(folder, 'project', 'node_modules'), join(folder, 'elsewhere', 'node_modules'));
    expect(await resolveFrom('oven', join(folder, 'elsewhere'))).toContain('/oven/index.js');
  });
});
