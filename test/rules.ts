import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { Kind, Place } from './house.ts';
import { calls, importsOf, impuritiesOf, type Source, spreadLiterals, statementsOf } from './source.ts';

/** A package as found in its folder. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly place: Place;
  readonly readme: string;
  readonly sources: readonly Source[];
}

type Versions = Readonly<Record<string, string>>;
type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly sideEffects?: unknown;
  readonly engines?: unknown;
  readonly files?: readonly string[];
  readonly exports?: Exports;
  readonly publishConfig?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly devDependencies?: Versions;
}

/** A repository rule: returns one line for each violation. */
type Rule = (subject: Package) => string[];

const scope = '@agent-criteria/';
const source = '@agent-criteria/source';
const core = '@agent-criteria/core';
const isPlugin = ({ place }: Package) => place.kind === 'plugin';
/** Whether the kind excludes Node, the clock, randomness and the environment. */
const isPure = (kind: Kind) => kind === 'core' || kind === 'pure';

/** Resolves a relative import to a path from the package's folder. */
function targetOf(file: Source, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier);
}

/** Returns these files and all files that they use. */
function reachable(sources: readonly Source[], from: readonly string[]): Set<Source> {
  const waiting = sources.filter(({ path }) => from.includes(path));
  const found = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const targets = importsOf(file).map(({ specifier }) => targetOf(file, specifier));
    for (const next of sources.filter(({ path }) => targets.includes(path))) {
      if (!found.has(next)) waiting.push(next);
      found.add(next);
    }
  }
  return found;
}

/** Lists all files except tests and files used only by tests. */
function published({ manifest, sources }: Package): Source[] {
  const entries = Object.values(manifest.exports ?? {}).map((target) => (target as Versions)[source] ?? '');
  const commands = Object.values(manifest.bin ?? {}).map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts'));
  const roots = [...entries, ...commands].map((path) => posix.normalize(path));
  const used = reachable(sources, roots);
  const tested = reachable(
    sources,
    sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') || path.includes('/__fixtures__/')),
  );
  return sources.filter((file) => used.has(file) || !tested.has(file));
}

/** Returns the problem if the condition does not hold. */
function unless(holds: boolean, problem: string): string[] {
  return holds ? [] : [problem];
}

function same(actual: unknown, expected: unknown, what: string): string[] {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  return unless(is === should, `${what} is ${is}, should be ${should}`);
}

const keyOrder = [
  ...['name', 'version', 'description', 'keywords', 'license', 'homepage', 'repository', 'type'],
  ...['sideEffects', 'engines', 'bin', 'files', 'exports', 'publishConfig', 'scripts'],
  ...['peerDependencies', 'peerDependenciesMeta', 'dependencies', 'devDependencies'],
];

/**
 * Returns the expected `sideEffects`: files that bundlers must keep although nothing in them is used, which register a
 * plugin or set up tests.
 */
function sideEffectsOf(kind: Place['kind'], exports: Exports = {}): readonly string[] | false {
  if (kind === 'plugin') return ['./dist/index.js', './src/index.ts'];
  return './setup' in exports ? ['./dist/setup.js', './src/setup.ts'] : false;
}

const fields: Rule = ({ folder, manifest, place }) => {
  const keys = Object.keys(manifest);
  return [
    ...same(manifest.name, folder === 'agent-criteria' ? folder : scope + folder, 'name'),
    ...same(manifest.license, 'Apache-2.0', 'license'),
    ...same(manifest.type, 'module', 'type'),
    ...same(manifest.engines, { node: '>=20.19' }, 'engines'),
    ...same(manifest.scripts?.build, 'tsup', 'scripts.build'),
    ...same(manifest.sideEffects, sideEffectsOf(place.kind, manifest.exports), 'sideEffects'),
    ...unless(/^\d+\.\d+\.\d+/.test(manifest.version ?? ''), 'version is not a semantic version'),
    ...unless(/\.$/.test(manifest.description ?? ''), 'description is not a sentence'),
    ...['dist', 'LICENSE', 'README.md', 'CHANGELOG.md'].flatMap((file) =>
      unless(manifest.files?.includes(file) ?? false, `files lacks ${file}`),
    ),
    ...Object.entries(manifest.bin ?? {}).flatMap(([name, file]) =>
      unless(/^\.\/dist\/[\w-]+\.js$/.test(file), `bin ${name} is not a file of ./dist`),
    ),
    ...same(
      keys,
      keyOrder.filter((key) => keys.includes(key)),
      'order of keys',
    ),
  ];
};

const entries: Rule = ({ manifest, place }) => {
  const named = Object.entries(manifest.exports ?? {});
  // An entry with only a source is for the packages in this repository: it is not published.
  const all = named.filter(([, target]) => typeof target === 'string' || Object.keys(target).join() !== source);
  const code = all.filter(([, target]) => typeof target !== 'string');
  const stripped = all.map(([entry, target]) => {
    if (typeof target === 'string') return [entry, target];
    return [entry, Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== source))];
  });
  const at = (entry: string) => (manifest.exports?.[entry] as Versions | undefined)?.[source];
  return [
    ...same(at('.'), './src/index.ts', 'the source of "."'),
    ...(place.kind === 'plugin' ? same(at('./pure'), './src/pure.ts', 'the source of "./pure"') : []),
    ...same(manifest.exports?.['./package.json'], './package.json', 'exports["./package.json"]'),
    ...all.flatMap(([entry, target]) =>
      unless(typeof target !== 'string' || target.endsWith('.json'), `exports["${entry}"] names no conditions`),
    ),
    ...code.flatMap(([entry, target]) => {
      const { [source]: from, types, default: run } = target as Versions;
      return [
        ...same(Object.keys(target), [source, 'types', 'default'], `conditions of "${entry}"`),
        ...unless(/^\.\/src\/.+\.ts$/.test(from ?? ''), `"${entry}" has no source`),
        ...unless(/^\.\/dist\/.+\.js$/.test(run ?? ''), `"${entry}" has no built file`),
        ...same(types, run?.replace(/\.js$/, '.d.ts'), `types of "${entry}"`),
      ];
    }),
    ...same(
      manifest.publishConfig,
      { access: 'public', provenance: true, exports: Object.fromEntries(stripped) },
      'publishConfig',
    ),
  ];
};

/**
 * How each kind of package depends on core. The packages that core consists of must not depend on it, even for tests.
 */
const coreAs: Readonly<Record<Kind, readonly (string | undefined)[]>> = {
  core: [undefined, undefined, undefined],
  pure: [undefined, undefined, undefined],
  plugin: [undefined, '>=0.1.0 <1', 'workspace:^'],
  library: [undefined, '>=0.1.0 <1', 'workspace:^'],
  application: ['workspace:^', undefined, undefined],
  tool: [undefined, undefined, 'workspace:^'],
};

const dependencies: Rule = ({ manifest, place }) => {
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
  const taken = [dependencies[core], peerDependencies[core], devDependencies[core]];
  const compiledIn = ['zod', 'natural'];
  return [
    ...same(taken, coreAs[place.kind], 'core as dependency, peer and devDependency'),
    ...Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [
      ...unless(!compiledIn.includes(name), `${name} is compiled in: it belongs to devDependencies`),
      ...unless(name === core || !name.startsWith(scope) || mayImport(place, name), `no arrow leads to ${name}`),
    ]),
    ...Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, range]) =>
      unless(!name.startsWith(scope) || range === 'workspace:^', `${name} is ${range}, should be workspace:^`),
    ),
  ];
};

function mayImport({ kind, imports }: Place, name: string): boolean {
  return (name === core && !isPure(kind)) || imports.some((folder) => scope + folder === name);
}

const builtins = new Set(builtinModules);
const testOnly = ['vitest', 'fast-check', `${core}/testing`];
/** The workspace's shared test helpers: how often properties are tried, which tests take long, and so on. */
const ofTests = [
  'binary-text',
  'bundled',
  'bundles',
  'cpu-time',
  'folder',
  'free-port',
  'live-commands',
  'planted-secrets',
  'runs',
].map((name) => `../../test/${name}.ts`);

/** `@scope/name/entry` -> `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const imports: Rule = (subject) => {
  const { manifest, place, sources } = subject;
  const ours = new Set(published(subject));
  const usable = { ...manifest.dependencies, ...manifest.peerDependencies };
  const declared = { ...usable, ...manifest.devDependencies };
  return sources.flatMap((file) =>
    importsOf(file).flatMap(({ specifier }) => {
      const says = (problem: string) => [`${file.path} imports ${specifier}: ${problem}`];
      const name = packageOf(specifier);
      if (specifier.startsWith('.')) {
        const target = targetOf(file, specifier);
        if (ofTests.includes(target)) return ours.has(file) ? says('it is for tests') : [];
        if (target.startsWith('../')) return says('it lies outside of the package');
        return target === 'src/index.ts' && ours.has(file) ? says('nothing imports the entry') : [];
      }
      if (builtins.has(specifier)) return says('write node: before it');
      if (specifier.startsWith('node:'))
        return ours.has(file) && isPure(place.kind) ? says(`${subject.folder} is pure`) : [];
      // The workspace provides the test runner.
      if (!ours.has(file)) return name in declared || testOnly.includes(name) ? [] : says('it is not declared');
      if (testOnly.includes(specifier) && !(specifier in usable)) return says('it is for tests');
      if (!name.startsWith(scope)) return name in declared ? [] : says('it is not declared');
      const isCompiledIn = place.kind === 'core' && name in declared;
      if (!(name in usable) && !isCompiledIn) return says('it is neither a dependency nor a peer');
      return mayImport(place, name) ? [] : says('no arrow leads there');
    }),
  );
};

/** In a package with layers, a folder imports only from itself and from lower layers. */
const floors: Rule = (subject) => {
  const { floors } = subject.place;
  if (floors === undefined) return [];
  const folderOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];
  const floorOf = (folder: string) => floors.findIndex((folders) => folders.includes(folder));
  return published(subject).flatMap((file) => {
    const folder = folderOf(file.path);
    // Entries are directly in src, and only export.
    if (folder === undefined) return [];
    if (floorOf(folder) === -1) return [`${file.path} lies in a folder without a floor`];
    const own = importsOf(file).filter(({ specifier }) => specifier.startsWith('.'));
    return own.flatMap(({ specifier }) => {
      const target = targetOf(file, specifier);
      const other = folderOf(target);
      const isAllowed = other === undefined || other === folder || floorOf(other) < floorOf(folder);
      return unless(isAllowed, `${file.path} imports ${target}: no arrow leads from ${folder} to ${other}`);
    });
  });
};

const entry: Rule = (subject) => {
  const file = subject.sources.find(({ path }) => path === 'src/index.ts');
  if (file === undefined) return ['there is no src/index.ts'];
  const statements = statementsOf(file);
  const registering = /^registerPlugin\(\w+\);$/;
  if (!isPlugin(subject)) return statements.map((text) => `src/index.ts does more than export: ${text}`);
  const others = published(subject).filter(({ path }) => path !== 'src/index.ts');
  return [
    ...unless(
      statements.some((text) => registering.test(text)),
      'src/index.ts registers nothing',
    ),
    ...statements
      .filter((text) => !registering.test(text))
      .map((text) => `src/index.ts does more than export and register: ${text}`),
    ...unless(/^export \* from '\.\/pure\.ts';$/m.test(file.text), 'src/index.ts does not export all of ./pure.ts'),
    ...others
      .filter((other) => importsOf(other).some(({ names }) => names.includes('registerPlugin')))
      .map(({ path }) => `${path} registers: only src/index.ts may`),
  ];
};

const criteria: Rule = (subject) => {
  if (subject.place.kind === 'core') return [];
  const defining = published(subject).filter(
    (file) => calls(file, 'defineCriterion') || calls(file, 'defineJudgeCriterion'),
  );
  const paths = new Set(defining.map(({ path }) => path));
  return defining.flatMap((file) => {
    const test = file.path.replace(/\.ts$/, '.test.ts');
    const tested = subject.sources.find(({ path }) => path === test);
    const targets = importsOf(file).map(({ specifier }) => targetOf(file, specifier));
    return [
      ...unless(tested !== undefined && calls(tested, 'testCriterion'), `${test} does not call testCriterion`),
      ...targets
        .filter((target) => paths.has(target))
        .map((target) => `${file.path} imports the criterion of ${target}`),
    ];
  });
};

const purity: Rule = (subject) => {
  if (!isPure(subject.place.kind)) return [];
  // The conformance suite waits for promises that may never settle.
  const scoring = published(subject).filter(({ path }) => !path.startsWith('src/testing/'));
  return scoring.flatMap((file) =>
    impuritiesOf(file).map((name) => `${file.path} uses ${name}: ${subject.folder} is pure`),
  );
};

const literals: Rule = ({ sources }) =>
  sources.flatMap((file) =>
    spreadLiterals(file).map(
      (text) => `${file.path} spreads a literal, whose fields can stand there themselves: ${text}`,
    ),
  );

const headings = [
  'When should I use this?',
  'Install',
  'Use',
  'Options',
  'How the score is computed',
  'Limits',
  'Licence',
];

const readme: Rule = (subject) => {
  // Comments in examples begin with # too.
  const lines = subject.readme.replace(/^```[\s\S]*?^```/gm, '').split('\n');
  const found = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
  const titles = lines.filter((line) => line.startsWith('# '));
  const opening = lines.slice(1).find((line) => line.trim() !== '');
  return [
    ...same(titles, [`# ${subject.manifest.name}`], 'title of README.md'),
    ...unless(/^[^#\s].*/.test(opening ?? ''), 'README.md does not open with a sentence'),
    ...(subject.place.kind === 'plugin' && subject.folder.startsWith('criteria-')
      ? same(found, headings, 'headings of README.md')
      : []),
  ];
};

const rules = [fields, entries, dependencies, imports, floors, entry, criteria, purity, literals, readme];

/**
 * Lists everything in which a package differs from the others or violates the architecture. Empty if there is nothing.
 */
export function problemsOf(subject: Package): string[] {
  return rules.flatMap((rule) => rule(subject));
}
