/**
 * Checks what we publish as users get it: every package is packed, the tarballs are installed with npm in an empty folder
 * without install scripts, and then imported, bundled, type-checked and run. `--built`: the build is there and is of now.
 */
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
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  closureOf,
  compiledIn,
  entriesOf,
  leftovers,
  readPacked,
  sizeOf,
  unlicensed,
  unresolvable,
} from './artefacts/packed.ts';
import { run } from './artefacts/run.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pnpm = ['-y', 'pnpm@12.21.0'];
const npmInstall = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
/** What the check needs besides our packages. Node 20 comes as the package of its platform, which needs no install script. */
const nodePackage = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
const tools = {
  '@arethetypeswrong/cli': '0.18.5',
  '@types/node': '^22.18.0',
  esbuild: '0.28.2',
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

/** One line for each check. It fails by throwing, or by returning what is wrong. */
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

if (!process.version.startsWith('v24.'))
  throw new Error(`This is Node ${process.version}. Run it as "npx -y pnpm@12.21.0 artefacts", which brings Node 24.`);
if (!process.argv.includes('--built')) await run('npx', [...pnpm, 'build'], { cwd: root });

const work = mkdtempSync(join(tmpdir(), 'agent-criteria-artefacts-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const folders = Object.fromEntries(
  ['tarballs', 'project', 'project/tools', 'project/consumer', 'project/stranger', 'third-party', 'bundles'].map(
    (name) => {
      mkdirSync(join(work, name));
      return [basename(name), join(work, name)];
    },
  ),
) as Record<'tarballs' | 'project' | 'tools' | 'consumer' | 'stranger' | 'third-party' | 'bundles', string>;
const { consumer } = folders;
const installed = join(consumer, 'node_modules');
const node20 = join(folders.tools, 'node_modules', 'node20', 'bin');
const nodes = { 'Node 20.19': join(node20, 'node'), 'Node 24': process.execPath };
const tool = (name: string) => join(folders.tools, 'node_modules', '.bin', name);
const inConsumer = { cwd: consumer };

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value, null, 2));
}

async function pack(): Promise<string[]> {
  await run('npx', [...pnpm, '-r', '--filter', './packages/*', 'pack', '--pack-destination', folders.tarballs], {
    cwd: root,
  });
  return readdirSync(folders.tarballs).map((file) => join(folders.tarballs, file));
}

async function installTools(): Promise<void> {
  writeJson(join(folders.tools, 'package.json'), { private: true, devDependencies: tools });
  await run('npm', npmInstall, { cwd: folders.tools });
}

const [tarballs] = await Promise.all([pack(), installTools()]);
writeJson(join(consumer, 'package.json'), { private: true, type: 'module' });
await run('npm', [...npmInstall, ...tarballs], inConsumer);

const scope = '@agent-criteria';
const names = readdirSync(join(installed, scope)).map((folder) => `${scope}/${folder}`);
const packages = names.map((name) => readPacked(installed, name));
const licence = readFileSync(join(root, 'LICENSE'), 'utf8');
say(`packed and installed ${names.length} packages: ${readdirSync(join(installed, scope)).join(', ')}`);

// While nothing but the packages can be resolved from the consumer's folder.
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
  ['zod', 'natural'].filter((name) => existsSync(join(installed, name))).map((name) => `${name} is installed`),
);

await check('runner and criteria-rouge bring no other criterion and no SDK', () => {
  const closure = [...closureOf(installed, [`${scope}/runner`, `${scope}/criteria-rouge`])];
  const strangers = closure.filter((name) =>
    /criteria-(?!rouge)|model-|google|openai|anthropic/.test(name.replace(scope, '')),
  );
  return strangers.length > 0 ? strangers.map((name) => `${name} comes along`) : closure.sort().join(', ');
});

for (const [version, node] of Object.entries(nodes)) {
  await check(`every entry can be imported on ${version}, and prints nothing`, async () => {
    const entries = packages.flatMap(entriesOf);
    for (const entry of entries) {
      const printed = await run(node, ['--input-type=module', '-e', `await import('${entry}')`], inConsumer);
      if (printed !== '') return [`${entry} prints ${printed}`];
    }
    return `${entries.length} entries`;
  });
  await check(`every command starts on ${version}`, async () => {
    for (const { folder, manifest } of packages) {
      for (const file of Object.values(manifest.bin ?? {})) await run(node, [join(folder, file), '--help'], inConsumer);
    }
    return [];
  });
}

/** Milliseconds to import an entry in a fresh process: the median of several. */
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

// From here on the consumer finds the tools too.
symlinkSync(join(folders.tools, 'node_modules'), join(folders.project, 'node_modules'));
for (const file of readdirSync(join(root, 'test', 'consumer'))) {
  const folder = file.startsWith('third-party') ? folders.stranger : consumer;
  writeFileSync(join(folder, file.replace(/\.txt$/, '')), readFileSync(join(root, 'test', 'consumer', file)));
}
for (const folder of ['bundles/esbuild', 'bundles/Vite']) {
  mkdirSync(join(work, folder));
  writeJson(join(work, folder, 'package.json'), { type: 'module' });
}
const expected = JSON.parse(readFileSync(join(consumer, 'expected.json'), 'utf8'));
const sources = ['evaluation.ts', 'main.ts'];
await run(tool('esbuild'), [...sources, '--format=esm', '--outdir=.'], inConsumer);
await run(tool('esbuild'), ['third-party.ts', '--format=esm', '--outdir=.'], { cwd: folders.stranger });

/** The TypeScript examples of the packages' own pages, as files of the consumer; those of plugins are run as well. */
function writeExamples(): string[] {
  return packages.flatMap(({ name, folder }) => {
    const file = join(folder, 'README.md');
    const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code], index) => {
      const example = `example-${basename(name)}-${index + 1}.ts`;
      writeFileSync(join(consumer, example), code ?? '');
      return example;
    });
  });
}
const examples = writeExamples();

async function thirdParty(): Promise<void> {
  const author = { cwd: join(folders['third-party'], 'criteria-answer-length'), path: node20 };
  const user = { cwd: folders.stranger };
  const tarballOf = (name: string) => tarballs.filter((file) => basename(file).startsWith(`agent-criteria-${name}-`));
  await check('a criterion package from the template, outside of this repository, on Node 20.19', async () => {
    const command = join(installed, scope, 'create-criterion', 'dist', 'cli.js');
    await run(join(node20, 'node'), [command, basename(author.cwd)], { cwd: dirname(author.cwd) });
    // As if core came from the registry: package.json stays as the template made it.
    await run('npm', [...npmInstall, '--no-save', ...tarballOf('core')], author);
    for (const task of [['test'], ['run', 'types'], ['run', 'build'], ['pack', '--pack-destination', '..']]) {
      await run('npm', task, author);
    }
    const tarball = join(dirname(author.cwd), `${basename(author.cwd)}-0.1.0.tgz`);
    writeJson(join(user.cwd, 'package.json'), { private: true, type: 'module' });
    await run('npm', [...npmInstall, ...tarballOf('core'), ...tarballOf('runner'), tarball], user);
    const { folder } = readPacked(join(user.cwd, 'node_modules'), basename(author.cwd));
    return existsSync(join(folder, 'dist', 'THIRD_PARTY_LICENSES.txt'))
      ? []
      : ['the licence of zod is not in the tarball'];
  });
  await check('TypeScript takes its declarations', () => typeCheck(user.cwd, 'NodeNext', 'NodeNext', 'third-party.ts'));
  for (const [version, node] of Object.entries(nodes)) {
    await check(`it evaluates beside ours on ${version}`, async () => {
      const printed = await run(node, ['third-party.js'], user);
      return expectSame(JSON.parse(printed), [['passed', 'answer_length', 0.75]]);
    });
  }
}

async function typeCheck(cwd: string, module: string, moduleResolution: string, ...files: string[]): Promise<string[]> {
  const options = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'ES2023', '--types', 'node'];
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--resolveJsonModule',
    '--noEmit',
  ];
  await run(process.execPath, [tool('tsc'), '--ignoreConfig', ...options, ...strict, ...files], { cwd });
  return [];
}

async function evaluations(): Promise<void> {
  for (const [version, node] of Object.entries(nodes)) {
    await check(`an evaluation on ${version}`, async () =>
      expectSame(JSON.parse(await run(node, ['main.js'], inConsumer)), expected),
    );
  }
  await check('an evaluation inside Vitest', async () => {
    await run(process.execPath, [tool('vitest'), 'run'], inConsumer);
    return [];
  });
  const bundle = {
    esbuild: (output: string) =>
      run(
        tool('esbuild'),
        ['main.ts', '--bundle', '--platform=node', '--format=esm', `--outdir=${output}`],
        inConsumer,
      ),
    Vite: (output: string) => {
      writeFileSync(join(consumer, 'vite.config.js'), 'export default { ssr: { noExternal: true } };\n');
      return run(
        process.execPath,
        [tool('vite'), 'build', '--ssr', 'main.ts', '--outDir', output, '--logLevel', 'warn'],
        inConsumer,
      );
    },
  };
  for (const [bundler, make] of Object.entries(bundle)) {
    const output = join(folders.bundles, bundler);
    await check(`${bundler} makes a bundle`, async () => {
      await make(output);
      return [];
    });
    for (const [version, node] of Object.entries(nodes)) {
      await check(`an evaluation from it on ${version}`, async () =>
        expectSame(JSON.parse(await run(node, ['main.js'], { cwd: output })), expected),
      );
    }
  }
}

async function types(): Promise<void> {
  const files = [...sources, 'evaluation.test.ts', 'types.ts', ...examples];
  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ] as const) {
    await check(`TypeScript takes the declarations (${resolution})`, () =>
      typeCheck(consumer, module, resolution, ...files),
    );
  }
  await check('the examples of the packages’ pages run', async () => {
    for (const file of examples) await run(process.execPath, [file], inConsumer);
    return examples.join(', ') || 'there is none';
  });
}

async function packaging(): Promise<void> {
  for (const tarball of tarballs) {
    const name = basename(tarball);
    await check(`publint: ${name}`, async () => {
      await run(process.execPath, [tool('publint'), 'run', tarball, '--strict'], { cwd: folders.tools });
      return [];
    });
    await check(`are the types wrong: ${name}`, async () => {
      await run(process.execPath, [tool('attw'), tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'], {
        cwd: folders.tools,
      });
      return [];
    });
  }
}

await Promise.all([thirdParty().then(packaging), evaluations().then(types)]);

say(failed === 0 ? 'All of what we publish works.' : `${failed} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
