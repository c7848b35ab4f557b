import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { placeOf } from './house.ts';
import { type Manifest, type Package, problemsOf } from './rules.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the text of a file, or an empty string if it does not exist, so that the rules report what is missing. */
function read(...path: string[]): string {
  const file = join(root, ...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function load(folder: string): Package {
  const place = placeOf(folder);
  if (place === undefined) throw new Error(`packages/${folder} has no place in the house: add it to test/house.ts`);
  const files = readdirSync(join(root, 'packages', folder, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: read('packages', folder, path) }));
  const manifest = JSON.parse(read('packages', folder, 'package.json'));
  return { folder, manifest, place, sources, readme: read('packages', folder, 'README.md') };
}

// A folder without a manifest holds ignored files that switching branches left behind.
const folders = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
);

test.each(folders)('packages/%s complies with the repository rules', (folder) => {
  expect(problemsOf(load(folder))).toEqual([]);
});

test.each(folders)("packages/%s uses the project's licence and build", (folder) => {
  expect(read('packages', folder, 'LICENSE')).toBe(read('LICENSE'));
  expect(read('packages', folder, 'tsup.config.ts')).toContain("from '../../tsup.preset.ts'");
});

test('docs/architecture.md lists every package in a layer above its imports', () => {
  const floors = new Map<string, number>();
  for (const [, floor, names = ''] of read('docs', 'architecture.md').matchAll(/^\| (\d) [^|]*\|([^|]*)\|/gm)) {
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) floors.set(name, Number(floor));
  }
  const floorOf = (folder: string) => floors.get(folder) ?? floors.get(folder.replace(/-.*/, '-*')) ?? Number.NaN;
  const wrong = folders
    .filter((folder) => folder !== 'create-criterion')
    .flatMap((folder) => {
      const own = floorOf(folder);
      // Core bundles formats, and the package with the unscoped name is the command itself.
      const imports = own === 0 || folder === 'agent-criteria' ? [] : (placeOf(folder)?.imports ?? []);
      const known = Number.isNaN(own) ? [folder] : [];
      return [...known, ...imports.filter((name) => !(floorOf(name) < own)).map((name) => `${folder} imports ${name}`)];
    });
  expect(wrong).toEqual([]);
});

test('the main entry of core has fewer than a hundred names', () => {
  const lists = read('packages', 'core', 'src', 'index.ts').matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  const names = [...lists].flatMap(([, list = '']) => list.split(',').filter((name) => name.trim() !== ''));
  expect(names.length).toBeLessThan(100);
  expect(names.length).toBeGreaterThan(50);
});

test('the README of models explains every value in its main entry', () => {
  const lists = read('packages', 'models', 'src', 'index.ts').matchAll(/^export \{([^}]*)\}/gm);
  const values = [...lists]
    .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '));
  expect(values).toContain('callPolicies');
  const readme = read('packages', 'models', 'README.md');
  expect(values.filter((name) => !new RegExp(`\`${name}\\b`).test(readme))).toEqual([]);
});

test('the README of project explains every value in its entries, and its main entry has at most thirty names', () => {
  const entries = [
    '.',
    './files',
    './config',
    './plan',
    './runs',
    './agent-process',
    './doctor',
    './editing',
    './init',
    './watch',
  ];
  const namesOf = (entry: string) => {
    const lists = read('packages', 'project', 'src', entry, 'index.ts').matchAll(/^export (type )?\{([^}]*)\}/gm);
    return [...lists].flatMap(([, type = '', list = '']) =>
      list.split(',').flatMap((name) => (name.trim() === '' ? [] : [type + name.trim()])),
    );
  };
  expect(namesOf('.').length).toBeLessThanOrEqual(30);
  const values = entries.flatMap(namesOf).filter((name) => !name.startsWith('type '));
  expect(values).toContain('findEvalSets');
  const readme = read('packages', 'project', 'README.md');
  expect(values.filter((name) => !new RegExp(`\`${name}\\b`).test(readme))).toEqual([]);
});

test.each([
  ['docs/guide/write-a-criterion.md'],
  ['docs/guide/write-a-judge-criterion.md'],
  ['packages/judge/README.md'],
])('%s imports only entries that are promised to criterion authors', (page) => {
  const imported = [...read(page).matchAll(/from '@agent-criteria\/([\w/-]+)'/g)].map(([, entry]) => entry);
  // Pages about the command import from `cli`; `runner` runs a page's examples.
  const promised = ['core', 'core/testing', 'judge', 'cli', 'runner'];
  expect(imported).toContain('core');
  expect(imported.filter((entry = '') => !promised.includes(entry))).toEqual([]);
});

describe('the package rules', () => {
  const conditions = (source: string, built: string) => ({
    '@agent-criteria/source': `./src/${source}.ts`,
    types: `./dist/${built}.d.ts`,
    default: `./dist/${built}.js`,
  });
  const published = (built: string) => ({ types: `./dist/${built}.d.ts`, default: `./dist/${built}.js` });

  const manifest: Manifest = {
    name: '@agent-criteria/criteria-tone',
    version: '0.1.0',
    description: 'Scores the tone.',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: ['./dist/index.js', './src/index.ts'],
    engines: { node: '>=20.19' },
    files: ['dist', 'LICENSE', 'README.md', 'CHANGELOG.md'],
    exports: {
      '.': conditions('index', 'index'),
      './pure': conditions('pure', 'pure'),
      './package.json': './package.json',
    },
    publishConfig: {
      access: 'public',
      provenance: true,
      exports: { '.': published('index'), './pure': published('pure'), './package.json': './package.json' },
    },
    scripts: { build: 'tsup' },
    peerDependencies: { '@agent-criteria/core': '>=0.1.0 <1' },
    devDependencies: { '@agent-criteria/core': 'workspace:^', zod: 'catalog:' },
  };

  const texts: Record<string, string> = {
    'src/index.ts': `import { registerPlugin } from '@agent-criteria/core';
      import { tone } from './pure.ts';\nexport * from './pure.ts';\nregisterPlugin(tone);`,
    'src/pure.ts': `export { tone } from './tone.ts';`,
    'src/tone.ts': `import { defineCriterion } from '@agent-criteria/core';\nexport const tone = defineCriterion({});`,
    'src/tone.test.ts': `import { testCriterion } from '@agent-criteria/core/testing';\ntestCriterion(0);`,
  };

  const headings = 'When should I use this?|Install|Use|Options|How the score is computed|Limits|Licence';
  const readme = `# ${manifest.name}\n\nScores the tone.\n\n## ${headings.replaceAll('|', '\n\n## ')}\n`;

  /** Creates a valid package with these changes. */
  function make(changes: {
    folder?: string;
    manifest?: Manifest;
    texts?: Record<string, string>;
    readme?: string;
  }): Package {
    const folder = changes.folder ?? 'criteria-tone';
    const sources = Object.entries({ ...texts, ...changes.texts }).map(([path, text]) => ({ path, text }));
    const name = folder === 'criteria-tone' ? {} : { name: `@agent-criteria/${folder}` };
    return {
      folder,
      sources,
      place: placeOf(folder)!,
      manifest: { ...manifest, ...name, ...changes.manifest },
      readme: changes.readme ?? readme,
    };
  }

  test('report nothing for a valid package', () => {
    expect(problemsOf(make({}))).toEqual([]);
  });

  test('reject an unknown folder', () => {
    expect(placeOf('misc')).toBeUndefined();
    expect(placeOf('constructor')).toBeUndefined();
    expect(placeOf('criteria-anything')?.kind).toBe('plugin');
  });

  const wrongEntry = { ...manifest.exports, './pure': { ...conditions('pure', 'pure'), types: './dist/index.d.ts' } };
  test.each<[string, Manifest]>([
    ['name is', { name: '@agent-criteria/tone' }],
    ['license is', { license: 'MIT' }],
    ['type is', { type: 'commonjs' }],
    ['engines is', { engines: { node: '>=18' } }],
    ['scripts.build is', { scripts: { build: 'tsc' } }],
    ['sideEffects is', { sideEffects: false }],
    ['version is not', { version: 'one' }],
    ['description is not', { description: 'tone' }],
    ['files lacks LICENSE', { files: ['dist', 'README.md', 'CHANGELOG.md'] }],
    ['bin tone is not', { bin: { tone: './src/cli.ts' } }],
    ['order of keys', Object.assign({ type: 'module' }, { main: './dist/index.js' })],
    ['the source of "./pure"', { exports: { '.': conditions('index', 'index') } }],
    ['exports["./package.json"]', { exports: { '.': conditions('index', 'index') } }],
    ['exports["./x"] names no conditions', { exports: { ...manifest.exports, './x': './dist/x.js' } }],
    ['conditions of "."', { exports: { ...manifest.exports, '.': published('index') } }],
    ['types of "./pure"', { exports: wrongEntry }],
    ['publishConfig is', { publishConfig: { access: 'public', provenance: true, exports: wrongEntry } }],
    ['core as dependency', { dependencies: { '@agent-criteria/core': 'workspace:^' } }],
    ['core as dependency', { peerDependencies: { '@agent-criteria/core': '^0.1.0' } }],
    ['zod is compiled in', { dependencies: { zod: 'catalog:' } }],
    ['no arrow leads', { dependencies: { '@agent-criteria/judge': 'workspace:^' } }],
    ['should be workspace:^', { devDependencies: { '@agent-criteria/core': 'workspace:*' } }],
  ])('report a wrong manifest: %s', (problem, change) => {
    expect(problemsOf(make({ manifest: change })).join('\n')).toContain(problem);
  });

  test.each<[string, Record<string, string>]>([
    ['outside of the package', { 'src/tone.ts': `export * from '../../core/src/index.ts';` }],
    ['nothing imports the entry', { 'src/tone.ts': `export * from './index.ts';` }],
    ['write node:', { 'src/tone.ts': `import 'fs';` }],
    ['it is for tests', { 'src/tone.ts': `import { test } from 'vitest';` }],
    ['it is for tests', { 'src/tone.ts': `import '@agent-criteria/core/testing';` }],
    ['it is for tests', { 'src/tone.ts': `import { runs } from '../../../test/runs.ts';` }],
    ['left-pad: it is not declared', { 'src/tone.ts': `const pad = await import('left-pad');` }],
    ['left-pad/x: it is not declared', { 'src/tone.ts': `type Pad = import('left-pad/x').Pad;` }],
    ['left-pad: it is not declared', { 'src/tone.test.ts': `import 'left-pad';` }],
    ['neither a dependency', { 'src/tone.ts': `export { x } from '@agent-criteria/criteria-rouge';` }],
    ['does more than export and register', { 'src/index.ts': `${texts['src/index.ts']}\nsetUp();` }],
    ['registers nothing', { 'src/index.ts': `export * from './pure.ts';` }],
    ['does not export all', { 'src/index.ts': `registerPlugin(tone);` }],
    ['only src/index.ts may', { 'src/pure.ts': `import { registerPlugin as r } from '@agent-criteria/core';` }],
    ['does not call', { 'src/tone.test.ts': `import { testCriterion } from 'x';` }],
    ['does not call', { 'src/mood.ts': `defineCriterion({});` }],
    ['spreads a literal', { 'src/words.ts': `export const words = { ...{ a, b }, c };` }],
    ['spreads a literal', { 'src/words.ts': `export const words = {\n  ...({ a: { ...b } }),\n};` }],
    ['spreads a literal', { 'src/words.tsx': `export const words = <p {...{ a, b }} />;` }],
    ['imports the criterion', { 'src/pure.ts': `import './tone.ts';\ndefineCriterion({});` }],
  ])('report a wrong source: %s', (problem, change) => {
    expect(problemsOf(make({ texts: change })).join('\n')).toContain(problem);
  });

  test('allow test packages in files used only by tests', () => {
    const helper = { 'src/words.ts': `import fc from 'fast-check';` };
    const using = { ...helper, 'src/tone.test.ts': `${texts['src/tone.test.ts']}\nimport './words.ts';` };
    expect(problemsOf(make({ texts: helper })).join()).toContain('it is for tests');
    expect(problemsOf(make({ texts: using }))).toEqual([]);
    const published = { ...using, 'src/pure.ts': `export * from './words.ts';` };
    expect(problemsOf(make({ texts: published })).join()).toContain('it is for tests');
  });

  test('allow spreading anything except a literal', () => {
    const change = {
      'src/words.ts': `export const words = { ...a, ...(b ? { c } : {}), ...{ ...d }.e, f: [...[g]] };`,
    };
    expect(problemsOf(make({ texts: change }))).toEqual([]);
  });

  test('report an import that the architecture does not allow', () => {
    const uses = { 'src/tone.ts': `import '@agent-criteria/judge';` };
    const dependencies = { '@agent-criteria/judge': 'workspace:^' };
    const problems = (folder: string) => problemsOf(make({ folder, manifest: { dependencies }, texts: uses }));
    expect(problems('criteria-tone').join()).toContain('no arrow leads there');
    expect(problems('criteria-llm-judge').join()).not.toContain('no arrow leads there');
  });

  test('report node modules, the clock, randomness and the environment in core', () => {
    const impure = (text: string) => {
      const subject = make({ folder: 'core', texts: { 'src/tone.ts': text } });
      return problemsOf(subject)
        .filter((problem) => problem.startsWith('src/tone.ts'))
        .join();
    };
    expect(impure(`import 'node:fs';`)).toContain('core is pure');
    expect(impure('const now = Date.now();')).toContain('uses Date');
    expect(impure('const now = { Date };')).toContain('uses Date');
    expect(impure('const chance = Math.random();')).toContain('uses Math.random');
    expect(impure('const key = process.env.KEY;')).toContain('uses process');
    expect(impure('interface Field { Date: Date; process(): void }\nconst text = field.process();')).toBe('');
  });

  test('report imports and impure code in a pure package', () => {
    const problems = (changes: { manifest?: Manifest; texts?: Record<string, string> }) =>
      problemsOf(make({ folder: 'statistics', ...changes })).join();
    expect(problems({})).toContain('core as dependency, peer and devDependency');
    expect(problems({ texts: { 'src/tone.ts': `import 'node:fs';` } })).toContain('statistics is pure');
    expect(problems({ texts: { 'src/tone.ts': 'Math.random();' } })).toContain('uses Math.random: statistics is pure');
    const uses = { 'src/tone.ts': `import { x } from '@agent-criteria/core';` };
    expect(problems({ texts: uses })).toContain('no arrow leads there');
  });

  test('report side effects in the entry of an application', () => {
    const change = { folder: 'runner', texts: { 'src/index.ts': 'start();' } };
    expect(problemsOf(make(change)).join()).toContain('does more than export: start();');
  });

  test('report an import from a higher layer of a package', () => {
    const problems = (path: string, text: string) => {
      const entry = { 'src/index.ts': `export * from './${path.slice('src/'.length)}';` };
      const all = problemsOf(make({ folder: 'project', texts: { ...entry, [path]: text } }));
      return all.filter((problem) => problem.startsWith(path)).join();
    };
    expect(problems('src/config/a.ts', `import '../files/b.ts';\nimport './c.ts';\nimport 'jiti';`)).not.toContain(
      'arrow',
    );
    expect(problems('src/files/a.ts', `import type { B } from '../config/b.ts';`)).toContain(
      'no arrow leads from files',
    );
    expect(problems('src/init/a.ts', `await import('../doctor/b.ts');`)).toContain(
      'no arrow leads from init to doctor',
    );
    expect(problems('src/misc/a.ts', '')).toContain('a folder without a floor');
  });

  test('report a README without a title, an opening sentence or ordered headings', () => {
    const problems = (text: string) => problemsOf(make({ readme: text })).join();
    expect(problems(readme.replace('criteria-tone', 'tone'))).toContain('title of README.md');
    expect(problems(readme.replace('Scores the tone.\n', ''))).toContain('does not open with a sentence');
    expect(problems(readme.replace('## Limits', ''))).toContain('headings of README.md');
    expect(problems(`${readme}\n\`\`\`sh\n## not a heading\n\`\`\`\n`)).toBe('');
  });
});
