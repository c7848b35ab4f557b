/**
 * Checks packages as users get them: every package is packed, the tarballs are installed with npm in an empty folder
 * without install scripts, and then imported, bundled, type-checked and run. `--built` means that the build exists and
 * is current.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { closedOptions } from '../test/closed-options.ts';
import { snippetFiles } from '../test/snippets.ts';
import { strictness } from '../test/strictness.ts';
import { programOf } from '../test/type-check.ts';
import { packAll, pnpm, root } from './artefacts/pack.ts';
import {
  closureOf,
  compiledIn,
  declarationsOf,
  entriesOf,
  entriesOnPeers,
  leftovers,
  optionalPeers,
  type Packed,
  readPacked,
  sizeOf,
  unlicensed,
  unresolvable,
} from './artefacts/packed.ts';
import { run } from './artefacts/run.ts';

const scope = '@agent-criteria';
const npmInstall = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
/** The tools for the checks. Node 20 is installed from its platform-specific package, which needs no install script. */
const nodePackage = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
const tools = {
  '@arethetypeswrong/cli': '0.18.5',
  '@opentelemetry/api': '1.9.0',
  '@types/node': '^22.18.0',
  esbuild: '0.28.2',
  'fast-check': '^4.10.2',
  node20: `npm:${nodePackage}@~20.19.0`,
  publint: '0.3.25',
  typescript: '6.0.3',
  vite: '8.3.8',
  vitest: '5.1.1',
};

const started = performance.now();
let failed = 0;

function say(text: string): void {
  console.log(`${`${((performance.now() - started) / 1000).toFixed(0)} s`.padStart(6)}  ${text}`);
}

/** Runs a check and prints one line about it. It fails by throwing or by returning problems. */
async function check(
  name: string,
  body: () => Promise<readonly string[] | string> | readonly string[] | string,
): Promise<void> {
  try {
    const found = await body();
    if (typeof found !== 'string' && found.length > 0) throw new Error(found.join('\n'));
    say(`ok    ${name}${typeof found === 'string' ? `: ${found}` : ''}`);
  } catch (error) {
    failed += 1;
    const message = error instanceof Error ? error.message : String(error);
    say(`FAIL  ${name}\n${message.replace(/^/gm, '          ')}`);
  }
}

function expectSame(actual: unknown, expected: unknown): string {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`printed ${is}\nshould print ${should}`);
  return is;
}

/** Runs a step that all later checks need; exits if it fails. */
async function prepare(name: string, body: () => Promise<readonly string[] | string>): Promise<void> {
  await check(name, body);
  if (failed > 0) process.exit(1);
}

const work = mkdtempSync(join(tmpdir(), 'agent-criteria-artefacts-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

function makeFolder(...path: string[]): string {
  const folder = join(work, ...path);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, null, 2));
}

const tarballFolder = makeFolder('tarballs');
const toolFolder = makeFolder('project', 'tools');
/** Projects that use all our packages, and a third-party package. */
const consumer = makeFolder('project', 'consumer');
const stranger = makeFolder('project', 'stranger');
const inConsumer = { cwd: consumer };
const installed = join(consumer, 'node_modules');
const tool = (name: string) => join(toolFolder, 'node_modules', '.bin', name);
const node20 = join(toolFolder, 'node_modules', 'node20', 'bin');
const nodes = { 'Node 20.19': join(node20, 'node'), 'Node 24': process.execPath };

await prepare('this is Node 24', async () =>
  process.version.startsWith('v24.')
    ? []
    : [`It is ${process.version}. Run "npx -y pnpm@12.21.0 artefacts", which brings Node 24.`],
);
await prepare('the build', async () => {
  if (process.argv.includes('--built')) return 'as it is';
  await run('npx', [...pnpm, 'build'], { cwd: root });
  return [];
});
await prepare('packages are packed, tools installed', async () => {
  writeJson(join(toolFolder, 'package.json'), { private: true, devDependencies: tools });
  const both = [packAll(tarballFolder), run('npm', npmInstall, { cwd: toolFolder })];
  // Waits for both, so that nothing is still writing when the folder is removed.
  return (await Promise.allSettled(both)).flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
});
const tarballs = readdirSync(tarballFolder).map((file) => join(tarballFolder, file));
await prepare('the tarballs can be installed', async () => {
  for (const folder of [consumer, stranger]) writeJson(join(folder, 'package.json'), { private: true, type: 'module' });
  await run('npm', [...npmInstall, ...tarballs], inConsumer);
  return readdirSync(join(installed, scope)).join(', ');
});

const names = [...readdirSync(join(installed, scope)).map((folder) => `${scope}/${folder}`), 'agent-criteria'];
const packages = names.map((name) => readPacked(installed, name));
const licence = readFileSync(join(root, 'LICENSE'), 'utf8');

// Runs before the tools can be resolved from the consumer's folder.
for (const packed of packages) {
  await check(`${packed.name} holds what it should and no more`, () => leftovers(packed, licence));
  await check(`${packed.name} imports only what is installed with it`, () => unresolvable(packed));
  await check(`${packed.name} holds the licences of all that is compiled in`, () => {
    const missing = unlicensed(packed);
    if (missing.length > 0)
      return missing.map((name) => `${name} is compiled in; dist/THIRD_PARTY_LICENSES.txt lacks its licence`);
    return compiledIn(packed).join(', ') || 'nothing';
  });
}

await check('nothing is installed that should be compiled in', () =>
  packages.flatMap(({ name, manifest }) => {
    // The SDK of the Model Context Protocol brings zod for itself.
    const brought =
      name === `${scope}/mcp` ? Object.keys(manifest.dependencies ?? {}) : [...closureOf(installed, [name])];
    return ['zod', 'natural'].filter((one) => brought.includes(one)).map((one) => `${name} brings ${one}`);
  }),
);

await check('runner and criteria-rouge bring no other criterion and no SDK', () => {
  const closure = [...closureOf(installed, [`${scope}/runner`, `${scope}/criteria-rouge`])];
  const strangers = closure.filter((name) =>
    /criteria-(?!rouge)|model-|google|openai|anthropic/.test(name.replace(scope, '')),
  );
  return strangers.length > 0 ? strangers.map((name) => `${name} comes along`) : closure.sort().join(', ');
});

await check('the criteria of one service come without each other', () =>
  ['criteria-safety', 'criteria-vertex'].flatMap((name) =>
    [...closureOf(installed, [`${scope}/${name}`])]
      .filter((other) => other.includes('/criteria-') && other !== `${scope}/${name}`)
      .map((other) => `${name} brings ${other}`),
  ),
);

/** Entries that need a peer that only their own users install. */
const onPeers = packages.filter((packed) => optionalPeers(packed).length > 0).flatMap(entriesOnPeers);

/** Imports each entry in a separate process. */
async function importAll(node: string, entries: readonly string[]): Promise<string[] | string> {
  for (const entry of entries) {
    const printed = await run(node, ['--input-type=module', '-e', `await import('${entry}')`], inConsumer);
    if (printed !== '') return [`${entry} prints ${printed}`];
  }
  return `${entries.length} entries`;
}

for (const [version, node] of Object.entries(nodes)) {
  const entries = packages.flatMap(entriesOf).filter((entry) => !onPeers.includes(entry));
  await check(`every entry can be imported on ${version}, and prints nothing`, () => importAll(node, entries));
  await check(`every command starts on ${version}`, async () => {
    for (const { folder, manifest } of packages) {
      for (const file of Object.values(manifest.bin ?? {})) await run(node, [join(folder, file), '--help'], inConsumer);
    }
    return [];
  });
}

// It is compiled in, and loaded only for such a file.
for (const [version, node] of Object.entries(nodes)) {
  await check(`the command reads YAML on ${version}`, async () => {
    const command = packages.find(({ name }) => name === `${scope}/cli`);
    const [bin] = Object.values(command?.manifest.bin ?? {});
    if (command === undefined || bin === undefined) return ['there is no command'];
    writeFileSync(join(consumer, 'eval_config.yaml'), 'metrics_to_run: [safety]\n');
    const made = join(consumer, 'made_config.json');
    await run(node, [join(command.folder, bin), 'migrate', 'eval_config.yaml', made, '--force'], inConsumer);
    return readFileSync(made, 'utf8').includes('safety_v1') ? [] : ['the config has no safety_v1'];
  });
}

/** Returns the milliseconds needed to import an entry in a fresh process, as the median of several runs. */
async function coldImport(entry: string): Promise<number> {
  const script = `const start = performance.now(); await import('${entry}'); console.log(performance.now() - start);`;
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    times.push(Number(await run(nodes['Node 20.19'], ['--input-type=module', '-e', script], inConsumer)));
  }
  return times.sort((a, b) => a - b)[3] ?? Number.NaN;
}

for (const { name } of packages) {
  await check(`size of ${name}`, async () => {
    const closure = closureOf(installed, [name]);
    const bytes = [...closure].reduce((sum, each) => sum + sizeOf(join(installed, each)), 0);
    const time = await coldImport(name);
    return `${(bytes / 1e6).toFixed(2)} MB in ${closure.size} packages, cold import ${time.toFixed(0)} ms`;
  });
}

// From here on, the consumer can also resolve the tools.
symlinkSync(join(toolFolder, 'node_modules'), join(work, 'project', 'node_modules'));
for (const [version, node] of Object.entries(nodes)) {
  await check(`with their peers on ${version}: ${onPeers.join(', ')}`, () => importAll(node, onPeers));
}
for (const file of readdirSync(join(root, 'test', 'consumer'))) {
  const folder = file.startsWith('third-party') ? stranger : consumer;
  writeFileSync(join(folder, file.replace(/\.txt$/, '')), readFileSync(join(root, 'test', 'consumer', file)));
}
const expected = JSON.parse(readFileSync(join(consumer, 'expected.json'), 'utf8'));
const sources = ['evaluation.ts', 'judged.ts', 'main.ts'];
await run(tool('esbuild'), [...sources, '--format=esm', '--outdir=.'], inConsumer);
await run(tool('esbuild'), ['third-party.ts', '--format=esm', '--outdir=.'], { cwd: stranger });

/** Writes the TypeScript examples in the packages' READMEs to a folder, and returns their file names. */
function writeExamples(from: readonly Packed[], cwd: string): string[] {
  return from.flatMap(({ name, folder }) => {
    const file = join(folder, 'README.md');
    const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code], index) => {
      const example = `example-${basename(name)}-${index + 1}.ts`;
      writeFileSync(join(cwd, example), code ?? '');
      return example;
    });
  });
}

async function runExamples(examples: readonly string[], cwd: string): Promise<string> {
  for (const file of examples) await run(process.execPath, [file], { cwd });
  return examples.join(', ') || 'there is none';
}

async function thirdParty(): Promise<void> {
  const name = 'criteria-answer-length';
  const author = { cwd: join(makeFolder('third-party'), name), path: node20 };
  const user = { cwd: stranger };
  const tarballOf = (folder: string) =>
    tarballs.filter((file) => basename(file).startsWith(`agent-criteria-${folder}-`));
  const examples: string[] = [];
  await check('a criterion package from the template, outside of this repository, on Node 20.19', async () => {
    const command = join(installed, scope, 'create-criterion', 'dist', 'cli.js');
    await run(join(node20, 'node'), [command, name], { cwd: dirname(author.cwd) });
    // As if core came from the registry, so package.json stays unchanged.
    await run('npm', [...npmInstall, '--no-save', ...tarballOf('core')], author);
    for (const task of [['test'], ['run', 'types'], ['run', 'build'], ['pack', '--pack-destination', '..']]) {
      await run('npm', task, author);
    }
    const tarball = join(dirname(author.cwd), `${name}-0.1.0.tgz`);
    await run(
      'npm',
      [...npmInstall, ...['core', 'formats', 'masking', 'calls', 'results', 'runner'].flatMap(tarballOf), tarball],
      user,
    );
    const packed = readPacked(join(stranger, 'node_modules'), name);
    examples.push(...writeExamples([packed], stranger));
    const files = readdirSync(join(packed.folder, 'dist')).filter((file) => file.endsWith('.js'));
    const bytes = files.reduce((sum, file) => sum + statSync(join(packed.folder, 'dist', file)).size, 0);
    return bytes < 10_000 ? [] : [`it has ${bytes} bytes of JavaScript: something is compiled in`];
  });
  await check('declarations of core and of that package name no package but core', () =>
    [join(stranger, 'node_modules', name), join(installed, scope, 'core')].flatMap((folder) =>
      readdirSync(join(folder, 'dist'))
        .filter((file) => file.endsWith('.d.ts'))
        .flatMap((file) => {
          const text = readFileSync(join(folder, 'dist', file), 'utf8');
          const named = [...text.matchAll(/(?:from|import\()\s*['"]([^'".][^'"]*)['"]/g)].map(([, one = '']) => one);
          const others = named.filter((one) => one !== `${scope}/core` && !one.startsWith(`${scope}/core/`));
          return others.map((one) => `${basename(folder)}/dist/${file} names ${one}`);
        }),
    ),
  );
  const own = readdirSync(join(author.cwd, 'src')).map((file) => join('src', file));
  // The settings in its own tsconfig.
  await typeCheck('TypeScript takes its sources', author.cwd, 'NodeNext', own, { skipLibCheck: true });
  const files = ['third-party.ts', ...examples];
  await typeCheck('TypeScript takes its declarations', stranger, 'NodeNext', files);
  await check('the example of its page runs', () => runExamples(examples, stranger));
  for (const [version, node] of Object.entries(nodes)) {
    await check(`it evaluates beside ours on ${version}`, async () => {
      const printed = await run(node, ['third-party.js'], user);
      return expectSame(JSON.parse(printed), [['passed', 'answer_length', 0.75]]);
    });
  }
}

/** Runs one check per strictness, because a user's settings must not matter. */
async function typeCheck(
  what: string,
  cwd: string,
  resolution: 'NodeNext' | 'Bundler',
  files: readonly string[],
  { skipLibCheck } = { skipLibCheck: false },
): Promise<void> {
  for (const [name, flags] of Object.entries(strictness)) {
    await check(`${what} (${resolution}, ${name})`, async () => {
      const compilerOptions = {
        ...flags,
        target: 'ES2023',
        types: ['node'],
        module: resolution === 'Bundler' ? 'ESNext' : resolution,
        moduleResolution: resolution,
        skipLibCheck,
        noEmit: true,
        resolveJsonModule: true,
        allowImportingTsExtensions: true,
      };
      const project = join(cwd, `tsconfig.${resolution}.json`);
      writeJson(project, { compilerOptions, files });
      await run(process.execPath, [tool('tsc'), '-p', project], { cwd });
      return [];
    });
  }
}

async function evaluations(): Promise<void> {
  for (const [version, node] of Object.entries(nodes)) {
    await check(`an evaluation on ${version}`, async () =>
      expectSame(JSON.parse(await run(node, ['main.js'], inConsumer)), expected),
    );
    await check(`Gemini judges on ${version}`, async () =>
      expectSame(JSON.parse(await run(node, ['judged.js'], inConsumer)), ['passed', null, 3]),
    );
  }
  const ours = { setupFiles: ['@agent-criteria/vitest/setup'], reporters: ['@agent-criteria/vitest/reporter'] };
  writeFileSync(join(consumer, 'vitest.config.js'), `export default ${JSON.stringify({ test: ours })};\n`);
  await check('evaluations inside Vitest', async () => {
    // Uses the Vitest that npm installed with @agent-criteria/vitest, because its tests belong to that copy.
    const told = await run(process.execPath, [join(installed, 'vitest', 'vitest.mjs'), 'run'], inConsumer);
    return told.includes('response_match_score 1 >= 1') ? [] : [`the reporter tells no scores: ${told}`];
  });
  writeJson(join(makeFolder('bundles'), 'package.json'), { type: 'module' });
  writeFileSync(join(consumer, 'vite.config.js'), 'export default { ssr: { noExternal: true } };\n');
  const bundlers = {
    esbuild: [tool('esbuild'), 'main.ts', '--bundle', '--platform=node', '--format=esm', '--outdir='],
    Vite: [process.execPath, tool('vite'), 'build', '--ssr', 'main.ts', '--logLevel', 'warn', '--outDir='],
  };
  for (const [bundler, [command = '', ...args]] of Object.entries(bundlers)) {
    const output = join(work, 'bundles', bundler);
    await check(`${bundler} makes a bundle`, async () => {
      await run(command, [...args.slice(0, -1), `${args.at(-1)}${output}`], inConsumer);
      return [];
    });
    for (const [version, node] of Object.entries(nodes)) {
      await check(`an evaluation from it on ${version}`, async () =>
        expectSame(JSON.parse(await run(node, ['main.js'], { cwd: output })), expected),
      );
    }
  }
}

/** Copies the programs in `examples/` that need only published packages to the consumer, and returns their files. */
function copyPrograms(): string[] {
  const needsMore = /from '(@agent-criteria\/test-servers|[./]+\/test\/)/;
  // Those whose agents have packages of their own are checked by `pnpm test:adk` and `pnpm test:ai-sdk`.
  const from = readdirSync(join(root, 'examples')).filter(
    (name) => !existsSync(join(root, 'examples', name, 'agent', 'package.json')),
  );
  return from.flatMap((name) => {
    const folder = join('examples', name);
    cpSync(join(root, folder), join(consumer, folder), {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules',
    });
    return readdirSync(join(consumer, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !needsMore.test(readFileSync(join(consumer, file), 'utf8')));
  });
}

function writeSnippets(): string[] {
  return Object.entries(snippetFiles()).map(([file, code]) => {
    writeFileSync(join(makeFolder('project', 'consumer', 'snippets'), file), code);
    return join('snippets', file);
  });
}

async function types(): Promise<void> {
  const examples = writeExamples(packages, consumer);
  const files = [
    ...sources,
    'evaluation.test.ts',
    'describe.test.ts',
    'types.ts',
    ...copyPrograms(),
    ...writeSnippets(),
  ];
  for (const resolution of ['NodeNext', 'Bundler'] as const) {
    await typeCheck('TypeScript takes the declarations, examples and snippets', consumer, resolution, files);
  }
  await check('every public option takes an explicit undefined', () => {
    const declarations = packages.flatMap(declarationsOf);
    if (declarations.length === 0) return ['no declarations were found'];
    const isOurs = (file: string) => packages.some(({ folder }) => file.startsWith(`${folder}/dist/`));
    return closedOptions(programOf(declarations, {}, strictness['every strict flag']), declarations, isOurs);
  });
  await check('the examples of the packages’ pages run', () => runExamples(examples, consumer));
}

async function packaging(): Promise<void> {
  for (const tarball of tarballs) {
    const name = basename(tarball);
    await check(`publint: ${name}`, async () => {
      await run(process.execPath, [tool('publint'), 'run', tarball, '--strict'], { cwd: toolFolder });
      return [];
    });
    await check(`are the types wrong: ${name}`, async () => {
      await run(process.execPath, [tool('attw'), tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], {
        cwd: toolFolder,
      });
      return [];
    });
  }
}

await Promise.all([thirdParty().then(packaging), evaluations().then(types)]);

say(failed === 0 ? 'All of what we publish works.' : `${failed} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
