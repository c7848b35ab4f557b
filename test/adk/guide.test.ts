import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, startFakeGemini } from '@agent-criteria/test-servers';
import { afterAll, expect, it, onTestFinished } from 'vitest';

// The pages of the guide that need @google/adk, followed as a new user would: with ADK's own client and a server that
// behaves like Gemini.

const page = (name: string): string => readFileSync(new URL(`../../docs/guide/${name}`, import.meta.url), 'utf8');
const blocks = (text: string, opening: string): readonly string[] =>
  Array.from(text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)).flatMap(([, found, body = '']) =>
    found === opening ? body : [],
  );

const adk = page('evaluate-an-adk-agent.md');
const stubs = page('stub-tools.md');
const [agent = '', made = ''] = blocks(adk, 'typescript');
const [townSet = '', tripsSet = ''] = blocks(adk, 'json eval-set');
const [config = ''] = blocks(adk, 'json eval-config');

const folder = join(import.meta.dirname, '.snippets', 'guide');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = {
  'agent.ts': agent,
  'agent.eval.ts': made,
  'town.evalset.json': townSet,
  'trips.evalset.json': tripsSet,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const library = {
  candidates: [
    {
      content: { role: 'model', parts: [{ functionCall: { name: 'opening_hours', args: { place: 'library' } } }] },
      finishReason: 'STOP',
    },
  ],
};
/** Plays a model that calls the tool about the library, and then answers with the result. */
function guide(): Answer {
  let calls = 0;
  return () => (calls++ % 2 === 0 ? { status: 200, body: library } : 'It is open from 9 to 18.');
}

async function command(line: string, answer: Answer = guide()) {
  const server = await startFakeGemini({ answer });
  onTestFinished(() => server.close());
  const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url));
  const flags = ['--conditions=@agent-criteria/source', '--no-warnings', bin, ...line.split(' ')];
  const keys = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: server.url };
  const child = spawn(process.execPath, flags, { cwd: folder, env: { PATH: process.env.PATH, ...keys } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const status = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  return { status, text };
}

it("the agent on the ADK page passes with the defaults and with the page's config", async () => {
  const first = await command('eval ./agent.ts town.evalset.json');
  expect(first.status, first.text).toBe(0);
  writeFileSync(join(folder, 'test_config.json'), config);
  const second = await command('eval ./agent.ts town.evalset.json');
  expect(second.text).toContain('response_match_score >= 0.6');
  expect(second.status, second.text).toBe(0);
  rmSync(join(folder, 'test_config.json'));
});

it('a failing case prints the output shown on the ADK page', async () => {
  writeFileSync(join(folder, 'wrong.evalset.json'), townSet.replace('"place": "library"', '"place": "Library"'));
  const { status, text } = await command('eval ./agent.ts wrong.evalset.json');
  expect(status, text).toBe(1);
  const [shown = ''] = blocks(adk, 'text');
  for (const line of shown.split('\n')) expect(text).toContain(line);
});

it('a case of a stored run can be added to an eval set', async () => {
  await command('eval ./agent.ts town.evalset.json');
  expect(await command('eval_set create . chats')).toMatchObject({ status: 0 });
  const added = await command('eval_set add_session . chats last library');
  expect(added.status, added.text).toBe(0);
  const { status, text } = await command('eval . chats');
  expect(status, text).toBe(0);
});

it('an agent created by a function is loaded, and its unreachable server is an error', async () => {
  // The server does not exist, so the case must be an error rather than pass without tools.
  const { status, text } = await command('eval ./agent.eval.ts town.evalset.json --turn_timeout 30');
  expect(status, text).toBe(3);
  expect(text).toContain('library: error');
});

it("the page's stubs apply to all cases or to one, and an unmatched call prints its error", async () => {
  const [ofAll = ''] = blocks(stubs, 'json eval-config');
  const [badDays = ''] = blocks(stubs, 'json eval-set');
  writeFileSync(join(folder, 'stubs.json'), ofAll);
  writeFileSync(join(folder, 'bad-days.evalset.json'), badDays);
  const { status, text } = await command('eval ./agent.ts bad-days.evalset.json --config_file_path stubs.json');
  expect(status, text).toBe(0);
  const shown = await command('show last archive_is_down --json');
  expect(shown.text).toContain('the archive is down');
  writeFileSync(
    join(folder, 'loud.evalset.json'),
    badDays.replace('"injected_error"', '"match_args": { "place": "zoo" }, "injected_error"'),
  );
  const loud = await command('eval ./agent.ts loud.evalset.json --config_file_path stubs.json');
  expect(loud.status, loud.text).toBe(3);
  const [told = ''] = blocks(stubs, 'text');
  // The page and the command wrap lines differently.
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  expect(plain(loud.text)).toContain(plain(told));
});
