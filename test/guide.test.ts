// Long: runs every command of the guide.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriteriaError, type JsonSchema } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { scriptedModel } from '@agent-criteria/core/testing';
import * as checks from '@agent-criteria/criteria-checks/pure';
import {
  inferenceCallCount,
  invocationDuration,
  tokenUsage,
  toolCallCount,
} from '@agent-criteria/criteria-efficiency/pure';
import { hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import {
  finalResponseMatch,
  finalResponseQuality,
  harmlessness,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
} from '@agent-criteria/criteria-llm-judge/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolParameterMatch, toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { recordedTools, toolSpecSimulator } from '@agent-criteria/environment-simulation/pure';
import { migrateEvalData } from '@agent-criteria/formats/migration';
import { parseConversationScenarios, parseEvalSet, parseSessionInput } from '@agent-criteria/formats/parse';
import { loadProjectConfig } from '@agent-criteria/project/config';
import { knownCriteria } from '@agent-criteria/runner';
import { startStudio } from '@agent-criteria/studio';
import { type Answer, fittingAnswer, says, startFakeAdkServer, startFakeGemini } from '@agent-criteria/test-servers';
import { findPersona, llmBackedUserSimulator, perTurnUserSimulatorQuality } from '@agent-criteria/user-simulator/pure';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { commandFlags } from '../packages/cli/src/command-flags.ts';
import { runCommand } from '../packages/cli/src/index.ts';
import { safety } from '../packages/criteria-safety/src/pure.ts';
import {
  multiTurnTaskSuccess,
  multiTurnToolUseQuality,
  multiTurnTrajectoryQuality as multiTurnTrajectoryByVertex,
  responseEvaluation,
} from '../packages/criteria-vertex/src/pure.ts';
import { bundles } from './bundles.ts';

// The output of TypeScript snippets is tested together with the READMEs. This file tests JSON blocks, commands, links,
// and that the eval set reference describes every field.

const ours = await bundles();
const root = fileURLToPath(new URL('..', import.meta.url));
const guide = join(root, 'docs', 'guide');
const examples = readdirSync(join(root, 'examples')).map((name) => `../../examples/${name}/README.md`);
const pages = [...readdirSync(guide), ...examples, '../../README.md'].map((page) => ({
  page: relative(root, join(guide, page)).replaceAll('\\', '/'),
  file: join(guide, page),
  text: readFileSync(join(guide, page), 'utf8'),
}));

interface Block {
  readonly name: string;
  /** The word after the language, which determines how the block is read. */
  readonly kind: string;
  readonly body: string;
}

function blocks(language: string): Block[] {
  return pages.flatMap(({ page, text }) =>
    Array.from(text.matchAll(/^```(\w+)(?: ([\w-]+))?\n(.*?)^```$/gms))
      .filter(([, found]) => found === language)
      .map(([, , kind = '', body = ''], index) => ({ name: `${page} ${language} ${index + 1}`, kind, body })),
  );
}

describe('JSON blocks in the guide', () => {
  const criteria = [
    ...[toolTrajectory, toolParameterMatch, responseMatch, hallucinations],
    ...Object.values(checks),
    ...[toolCallCount, inferenceCallCount, tokenUsage, invocationDuration],
    ...[finalResponseMatch, finalResponseQuality, toolUseQuality, rubricBasedMultiTurnTrajectoryQuality, harmlessness],
    ...[perTurnUserSimulatorQuality, llmBackedUserSimulator, toolSpecSimulator, recordedTools],
    ...[safety, responseEvaluation, multiTurnTaskSuccess, multiTurnToolUseQuality, multiTurnTrajectoryByVertex],
  ];
  // Includes a rubric of each type, because the configs that show defaults have none.
  const rubrics = ['FINAL_RESPONSE_QUALITY', 'TOOL_USE_QUALITY', 'TRAJECTORY_QUALITY'].map((type) => ({
    rubric_id: type,
    rubric_content: { text_property: 'It is.' },
    type,
  }));
  const oneTurn = { eval_set_id: 'set', eval_cases: [{ eval_id: 'case', conversation: [turn({})], rubrics }] };
  const scenario = { starting_prompt: 'Hi', conversation_plan: 'Go on.' };
  const led = { eval_set_id: 'set', eval_cases: [{ eval_id: 'case', conversation_scenario: scenario, rubrics }] };
  const read: Record<string, (value: unknown) => void | Promise<void>> = {
    '': () => undefined,
    'eval-set': (value) => void parseEvalSet(value),
    'eval-config': (config) => {
      const isOfUsers = /"(user_simulator_config|per_turn_user_simulator_quality_v1)"/.test(JSON.stringify(config));
      const evalSet = parseEvalSet(isOfUsers ? led : oneTurn).value;
      const plan = resolveEvalConfig({
        evalSet,
        config,
        registry: createRegistry(criteria),
        models: () => scriptedModel([]),
        environment: { GOOGLE_CLOUD_PROJECT: 'a-project', GOOGLE_CLOUD_LOCATION: 'us-central1' },
      });
      expect(plan.warnings).toEqual([]);
    },
    'project-config': async (value) => {
      const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-config-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'agent-criteria.config.json');
      writeFileSync(file, JSON.stringify(value));
      expect((await loadProjectConfig(file)).warnings).toEqual([]);
    },
    scenarios: (value) => {
      const read = parseConversationScenarios(value);
      expect(read.warnings).toEqual([]);
      for (const { userPersona } of read.value.scenarios ?? []) expect(findPersona(userPersona)).not.toBeNull();
    },
    'session-input': (value) => void parseSessionInput(value),
    'old-test': (value) => expect(migrateEvalData(value).format).toBe('old-test'),
  };

  it.each(blocks('json'))('$name is valid ($kind)', async ({ kind, body }) => {
    expect(Object.keys(read)).toContain(kind);
    await read[kind]?.(JSON.parse(body));
  });

  it('are found at all', () => {
    expect(new Set(blocks('json').map(({ kind }) => kind))).toEqual(new Set(Object.keys(read)));
  });
});

describe('commands in the guide', () => {
  const lines = blocks('sh').flatMap(({ name, body }) =>
    body
      .split('\n')
      .filter((line) => line.includes('agent-criteria ') && !line.includes(' COMMAND '))
      .map((line) => ({ name, line })),
  );

  it.each(lines)('exist, including their flags: $name: $line', ({ line }) => {
    const [, after = ''] = line.split(/agent-criteria (?=\w)/);
    const [first = '', second = ''] = after.split(' ');
    const command = `${first} ${second}` in commandFlags ? `${first} ${second}` : first;
    expect(Object.keys(commandFlags)).toContain(command);
    const flags = commandFlags[command as keyof typeof commandFlags];
    for (const [flag] of after.matchAll(/--\w[\w-]*/g))
      expect(Object.keys(flags)).toContain(flag.slice(2).replaceAll('-', '_'));
  });

  it('are found at all', () => {
    expect(lines.length).toBeGreaterThan(10);
  });
});

describe('links in the guide', () => {
  const links = pages.flatMap(({ page, file, text }) =>
    Array.from(text.replaceAll(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => ({
      page,
      file,
      link,
    })).filter(({ link }) => !/^https?:/.test(link)),
  );

  it.each(links)('have an existing target: $page: $link', ({ file, link }) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    expect(existsSync(target)).toBe(true);
    if (anchor !== undefined) expect(anchors(readFileSync(target, 'utf8'))).toContain(anchor);
  });

  it("lead from the guide's front page to every other page", () => {
    const own = links.filter(({ page }) => page === 'docs/guide/README.md').map(({ link }) => link);
    for (const page of readdirSync(guide)) if (page !== 'README.md') expect(own).toContain(page);
  });
});

/** Returns the anchors that GitHub gives to a page's headings. */
function anchors(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('choose-criteria.md names each criterion that it describes exactly once', () => {
  const text = pages.find(({ page }) => page.endsWith('choose-criteria.md'))?.text ?? '';
  const [start = '', comparison = '', judged = ''] = text.split(/^## /m);
  const named = (part: string) =>
    knownCriteria.filter(({ name }) => part.includes(`| \`${name}\``)).map(({ name }) => name);
  const [compared, asked] = [false, true].map((by) =>
    knownCriteria.filter((known) => known.judgedByModel === by).map(({ name }) => name),
  );
  expect(named(comparison)).toEqual(compared);
  for (const name of named(judged)) expect(asked).toContain(name);
  expect([...start.matchAll(/\| `(\w+)` +\|$/gm)].map(([, name]) => name)).toEqual([
    ...named(comparison),
    ...named(judged),
  ]);
});

/** Returns a page's blocks, in order. */
function own(page: string, language: string, kind = ''): readonly string[] {
  const found = blocks(language).filter(
    ({ name, kind: its }) => name.startsWith(`docs/guide/${page} `) && its === kind,
  );
  return found.map(({ body }) => body);
}

/** Creates a new user's folder with all our packages installed, and functions to run commands in it. */
function newcomer(files: Readonly<Record<string, string | undefined>>) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text = ''] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const quiet = Object.entries(process.env).filter(([name]) => !/^(VITEST|GEMINI_|GOOGLE_|AGENT_CRITERIA_)/.test(name));
  const node = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly status: number | null; readonly text: string }>((resolve, reject) => {
      const env = { ...Object.fromEntries(quiet), NO_COLOR: '1', ...environment };
      const flags = ['--conditions=@agent-criteria/source', '--no-warnings'];
      const child = spawn(process.execPath, [...flags, ...args], { cwd: folder, env });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
      child.on('error', reject).on('close', (status) => resolve({ status, text }));
    });
  /** Runs the command in this process. */
  const command = async (line: string, environment: Readonly<Record<string, string>> = {}) => {
    for (const name of Object.keys(process.env))
      if (!quiet.some(([kept]) => kept === name)) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries({ NO_COLOR: '1', ...environment })) vi.stubEnv(name, value);
    const here = process.cwd();
    process.chdir(folder);
    const { signal } = new AbortController();
    let text = '';
    const write = (part: string) => {
      text += part;
    };
    try {
      const width = { out: 120, err: Number.POSITIVE_INFINITY };
      const io = { out: write, raw: write, err: write, width, color: false, live: null, environment: process.env };
      return { status: await runCommand(line.split(' '), { ...io, signal, drain: () => signal }), text };
    } finally {
      process.chdir(here);
      vi.unstubAllEnvs();
    }
  };
  const cli = join(root, 'packages/cli/src/bin.ts');
  /** Runs the command in a separate process, which shares our packages with the imports of a config. */
  const start = (line: string, environment?: Readonly<Record<string, string>>) =>
    node([...ours, cli, ...line.split(' ')], environment);
  return { folder, node, command, start };
}

/** Returns the commands on a page that begin like this, without `npx agent-criteria`. */
function commandsOf(page: string, beginning: string): readonly string[] {
  const lines = own(page, 'sh').flatMap((body) => body.split('\n'));
  const ours = lines.flatMap((line) => /^npx agent-criteria (.*)$/.exec(line)?.[1] ?? []);
  return ours.filter((line) => line.startsWith(beginning));
}

describe('the page about the first score', () => {
  it('has an example that fails with the default threshold and passes with its config', async () => {
    const [agent] = own('first-score.md', 'ts');
    const [evalSet] = own('first-score.md', 'json', 'eval-set');
    const [config = ''] = own('first-score.md', 'json', 'eval-config');
    const { folder, command } = newcomer({ 'agent.ts': agent, 'rooms.evalset.json': evalSet });
    const [line = ''] = commandsOf('first-score.md', 'eval ');
    const strict = await command(line);
    expect(strict.status, strict.text).toBe(1);
    expect(strict.text).toContain('0.667');
    writeFileSync(join(folder, 'test_config.json'), config);
    const mild = await command(line);
    expect(mild.status, mild.text).toBe(0);
  });
});

describe('the page from a chat to a case in CI', () => {
  const page = 'chat-to-ci.md';

  it('has a case made from a conversation, which fails once the agent changes', async () => {
    const [agent = ''] = own(page, 'ts');
    const [evalSet = ''] = own(page, 'json', 'eval-set');
    const { folder, start } = newcomer({ 'agent.ts': agent });
    const studio = await startStudio({ folder, port: 0, environment: {}, applyEnvironment: false });
    onTestFinished(() => studio.close());
    const ask = async <Answer>(method: string, path: string, body: object): Promise<Answer> => {
      const headers = { authorization: `Bearer ${studio.token}` };
      const answer = await fetch(studio.url + path, { method, headers, body: JSON.stringify(body) });
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as Answer;
    };
    const [app = ''] = studio.apps;
    const at = `/api/apps/${app}`;
    const { id, userId } = await ask<{ id: string; userId: string }>('POST', `${at}/sessions`, {});
    const newMessage = { role: 'user', parts: [{ text: 'Is the museum open on Friday?' }] };
    await ask('POST', '/run', { appName: app, userId, sessionId: id, newMessage });
    await ask('POST', `${at}/sets`, { id: 'visitors' });
    const { evalCase } = await ask<{ evalCase: object }>('POST', `${at}/sessions/${id}/case`, { evalId: 'friday' });
    await ask('POST', `${at}/sets/visitors/cases`, evalCase);

    const checked = new Date().toISOString().slice(0, 10);
    const file = join(folder, 'visitors.evalset.json');
    const expected: unknown = JSON.parse(evalSet.replace(/"\d{4}-\d\d-\d\d"/, `"${checked}"`));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(expected as object);

    // The eval set on the page has a different date.
    writeFileSync(file, evalSet);
    const [line = ''] = commandsOf(page, 'eval ');
    const passed = await start(line);
    expect(passed.status, passed.text).toBe(0);
    const [, removed = '', added = ''] = /^-(.*)\n\+(.*)$/m.exec(own(page, 'diff')[0] ?? '') ?? [];
    expect(agent).toContain(removed);
    writeFileSync(join(folder, 'agent.ts'), agent.replace(removed, added));
    const failed = await start(line);
    expect(failed.status, failed.text).toBe(1);
    expect(failed.text).toContain('0.778');
  });
});

describe('the page about agents behind a URL', () => {
  const page = 'evaluate-a-python-agent.md';

  it('has an example that can be evaluated with a token and the settings in its config', async () => {
    const weather = () => [
      {
        content: { role: 'model', parts: [{ functionCall: { id: '1', name: 'get_weather', args: { city: 'Oslo' } } }] },
      },
      { content: { role: 'user', parts: [{ functionResponse: { id: '1', name: 'get_weather', response: {} } }] } },
      says('It is 3 degrees in Oslo.'),
    ];
    const server = await startFakeAdkServer({ apps: { weather }, token: 'a-token' });
    onTestFinished(() => server.close());
    const [evalSet] = own(page, 'json', 'eval-set');
    const [config] = own(page, 'ts');
    const { start } = newcomer({ 'weather.evalset.json': evalSet, 'agent-criteria.config.ts': config });
    const line = commandsOf(page, 'eval http://127.0.0.1:8000/')[0]?.replace('http://127.0.0.1:8000', server.url) ?? '';
    const refused = await start(line);
    expect(refused.status, refused.text).toBe(2);
    const { status, text } = await start(line, { AGENT_CRITERIA_AGENT_TOKEN: 'a-token' });
    expect(status, text).toBe(0);
    expect(server.requests.some(({ path }) => path === '/run_sse')).toBe(true);
    const kept = await start('show last oslo --json');
    expect(kept.text).toContain('Tell the weather of a city.');
  });
});

describe('the page about simulated users', () => {
  const page = 'simulate-users.md';
  /**
   * Plays both a user, who gives the number when asked and then asks for a badge, and a judge, who approves of
   * everything.
   */
  const plays: Answer = (asked) => {
    if (!JSON.stringify(asked.schema).includes('"done"')) return fittingAnswer()(asked);
    const last = asked.text.slice(asked.text.lastIndexOf('\nagent: '));
    const reply = (message: string, done = false) => ({ text: JSON.stringify({ reason: 'the plan', done, message }) });
    if (last.includes('number')) return reply('It is 4711.');
    return last.includes('open') ? reply('And a new badge, please.') : reply('', true);
  };

  it('has scenarios that can be run, recorded and replayed', async () => {
    const [agent] = own(page, 'ts');
    const [scenarios] = own(page, 'json', 'scenarios');
    const [session] = own(page, 'json', 'session-input');
    const [config] = own(page, 'json', 'eval-config');
    const files = {
      'agent.ts': agent,
      'scenarios.json': scenarios,
      'session.json': session,
      'test_config.json': config,
    };
    const { folder, command } = newcomer(files);
    const server = await startFakeGemini({ answer: plays });
    onTestFinished(() => server.close());
    const key = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: server.url };

    for (const line of [...commandsOf(page, 'eval_set create').slice(0, 1), ...commandsOf(page, 'eval_set add_eval')]) {
      const made = await command(line);
      expect(made.status, made.text).toBe(0);
    }
    const [, , record = '', replay = ''] = commandsOf(page, 'eval ');
    expect([record, replay]).toEqual([expect.stringContaining(':record'), expect.stringContaining(':replay')]);
    const recorded = await command(record, key);
    expect(recorded.status, recorded.text).toBe(0);
    const asked = server.requests.length;
    const replayed = await command(`${replay} --print_detailed_results`);
    expect(replayed.status, replayed.text).toBe(0);
    expect(replayed.text).toContain('ended: by the user');
    expect(server.requests).toHaveLength(asked);

    const { eval_cases: cases } = JSON.parse(readFileSync(join(folder, 'visitors.evalset.json'), 'utf8'));
    const [, create = ''] = commandsOf(page, 'eval_set create');
    const [add = ''] = commandsOf(page, 'eval_set add_session');
    await command(create);
    const added = await command(add.replace('CASE', cases[0].eval_id));
    expect(added.status, added.text).toBe(0);
    const fixed = JSON.parse(readFileSync(join(folder, 'regressions.evalset.json'), 'utf8'));
    expect(fixed.eval_cases[0]).toMatchObject({ eval_id: 'door', conversation: { length: 3 } });
  });
});

describe('the page about evals in Vitest', () => {
  const page = 'evals-in-vitest.md';

  it('has examples that pass as test files, with results stored where the page says', async () => {
    const [agent] = own('first-score.md', 'ts');
    const [evalSet] = own('first-score.md', 'json', 'eval-set');
    const [config] = own('first-score.md', 'json', 'eval-config');
    const [vitestConfig] = own(page, 'js');
    const tests = own(page, 'ts', 'vitest');
    expect(tests.length).toBeGreaterThan(3);
    const { node, command } = newcomer({
      'agent.ts': agent,
      'rooms.evalset.json': evalSet,
      'test_config.json': config,
      ...Object.fromEntries(tests.map((body, index) => [`${index}.eval.test.ts`, body])),
      'of-the-page.ts': vitestConfig,
      // The setup file in the page's config is named by a published package; here its source is used.
      'vitest.config.ts': `
        import { mergeConfig } from 'vitest/config';
        import page from './of-the-page.ts';
        if (page.test.setupFiles[0] !== '@agent-criteria/vitest/setup') throw new Error('another setup file');
        page.test.setupFiles = [];
        const conditions = ['@agent-criteria/source', 'node', 'import', 'default'];
        const execArgv = ${JSON.stringify(['--conditions=@agent-criteria/source', ...ours])};
        const ssr = { resolve: { conditions, externalConditions: conditions } };
        // One worker for all files loads the sources once.
        // As with installed packages: Node loads the other packages, and Vite does not transform them.
        const server = { deps: { external: [/\\/packages\\/(?!vitest\\/)[^/]+\\/src\\//] } };
        const test = { execArgv, isolate: false, maxWorkers: 1, server };
        export default mergeConfig(page, { resolve: { conditions }, ssr, test });`,
    });
    const ran = await node([join(root, 'node_modules/vitest/vitest.mjs'), 'run']);
    expect(ran.status, ran.text).toBe(0);
    expect(ran.text).toContain(`Test Files  ${tests.length} passed`);
    const shown = await command(commandsOf(page, 'show ')[0] ?? '');
    expect(shown.status, shown.text).toBe(0);
  });
});

describe('the eval set reference', () => {
  const text = pages.find(({ page }) => page.endsWith('eval-set-reference.md'))?.text ?? '';
  const schema: JsonSchema = JSON.parse(readFileSync(join(root, 'packages/core/schemas/eval-set.schema.json'), 'utf8'));
  const models = { EvalSet: schema, ...(schema.$defs as Record<string, JsonSchema>) };

  test.each(Object.entries(models))(
    'documents every field of %s with a meaning, a default and an example',
    (name, model) => {
      const rows = fieldRows(text, name);
      const properties = model.properties as Record<string, JsonSchema>;
      const fields = Object.keys(properties).filter((key) => key === toSnake(key));
      expect(rows.map(({ field }) => field)).toEqual(fields);
      for (const { field, meaning, fallback, example } of rows) {
        expect(meaning, field).toMatch(/\w.*[.`]$/);
        expect(fallback === 'required', field).toBe(requiredOf(model).has(field));
        expect(fallback, field).not.toBe('');
        const value: unknown = JSON.parse(example);
        // The fields of an object without its own section must be in the example.
        for (const inner of keysInside(properties[field])) expect(example, field).toContain(`"${inner}"`);
        const set = inSet[name]?.({ [field]: value });
        expect(readable(set), `${name}.${field}: ${example}`).toBe('');
      }
    },
  );
});

/** Returns the error or the warnings for an eval set; empty if there are none. */
function readable(set: unknown): string {
  try {
    return parseEvalSet(set)
      .warnings.map(({ message }) => message)
      .join();
  } catch (error) {
    if (CriteriaError.is(error)) return error.message;
    throw error;
  }
}

/** Returns the required fields of an object. The schema has one rule for each, which names both spellings. */
function requiredOf({ required, allOf }: JsonSchema): Set<string> {
  const rules = (Array.isArray(allOf) ? allOf : []).map(({ anyOf }: JsonSchema) =>
    (Array.isArray(anyOf) ? anyOf : []).flatMap((one: JsonSchema) => one.required as string[]),
  );
  const alone = rules.filter((keys) => new Set(keys.map(toSnake)).size === 1);
  return new Set([...((required as string[] | undefined) ?? []), ...alone.flat()].map(toSnake));
}

function keysInside(schema: JsonSchema | undefined): string[] {
  const options = [schema, ...(Array.isArray(schema?.anyOf) ? (schema.anyOf as JsonSchema[]) : [])];
  return options.flatMap((one) => Object.keys((one?.properties ?? {}) as object).filter((key) => key === toSnake(key)));
}

function fieldRows(text: string, section: string) {
  const [body = ''] = text.split(`\n## ${section}\n`)[1]?.split(/^## /m) ?? [];
  const lines = body.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [field = '', meaning = '', fallback = '', example = ''] = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return { field: field.replaceAll('`', ''), meaning, fallback, example: example.replaceAll(/^`|`$/g, '') };
  });
}

function toSnake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Wrap = (fields: Record<string, unknown>) => unknown;

function turn(fields: Record<string, unknown>): Record<string, unknown> {
  return { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hi' }] }, ...fields };
}

/** Complete eval sets around an object of each model, with its required fields. */
const inSet: Readonly<Record<string, Wrap>> = {
  EvalSet: (fields) => ({ eval_set_id: 'set', eval_cases: [{ eval_id: 'case', conversation: [turn({})] }], ...fields }),
  EvalCase: (fields) => {
    const conversation = 'conversation_scenario' in fields ? {} : { conversation: [turn({})] };
    return { eval_set_id: 'set', eval_cases: [{ eval_id: 'case', ...conversation, ...fields }] };
  },
  SessionInput: (fields) => inSet.EvalCase?.({ session_input: { app_name: 'app', user_id: 'user', ...fields } }),
  Invocation: (fields) => inSet.EvalCase?.({ conversation: [turn(fields)] }),
  ShortTurn: (fields) => inSet.EvalCase?.({ conversation: [{ user: 'Hi', ...fields }] }),
  IntermediateData: (fields) => inSet.Invocation?.({ intermediate_data: fields }),
  InvocationEvents: (fields) => inSet.Invocation?.({ intermediate_data: fields }),
  InvocationEvent: (fields) => inSet.InvocationEvents?.({ invocation_events: [{ author: 'agent', ...fields }] }),
  Content: (fields) => inSet.Invocation?.({ final_response: fields }),
  Part: (fields) => inSet.Content?.({ parts: [fields] }),
  FunctionCall: (fields) => inSet.IntermediateData?.({ tool_uses: [{ name: 'tool', ...fields }] }),
  FunctionResponse: (fields) => inSet.IntermediateData?.({ tool_responses: [{ name: 'tool', ...fields }] }),
  Rubric: (fields) => {
    const rubric = { rubric_id: 'id', rubric_content: { text_property: 'It is.' }, ...fields };
    return inSet.EvalCase?.({ rubrics: [rubric] });
  },
  AppDetails: (fields) => inSet.Invocation?.({ app_details: fields }),
  AgentDetails: (fields) => inSet.AppDetails?.({ agent_details: { agent: { name: 'agent', ...fields } } }),
  ConversationScenario: (fields) => {
    const scenario = { starting_prompt: 'Hi', conversation_plan: 'Go on.', ...fields };
    return inSet.EvalCase?.({ conversation_scenario: scenario });
  },
  UserPersona: (fields) => {
    const user_persona = { id: 'ID', description: 'Somebody.', behaviors: [], ...fields };
    return inSet.ConversationScenario?.({ user_persona });
  },
  UserBehavior: (fields) => {
    const behavior = { name: 'n', description: 'd', behavior_instructions: [], violation_rubrics: [], ...fields };
    return inSet.UserPersona?.({ behaviors: [behavior] });
  },
};
