import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const read = (folder: string, file = 's.evalset.json') => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** An agent that books with a new id and date in every run, and throws when asked to break. */
const agent = `
let runs = 100_000;
export const agent = (text, { history }) => {
  if (text.includes('break')) throw new Error('the wire is cut');
  runs += 1;
  const args = { order: 'ORD-' + runs, day: '2026-05-' + String(10 + (runs % 10)), room: 7 };
  return { text: 'Done: ' + text, toolCalls: [{ name: 'book', args }] };
};`;

const user = `
const noOptions = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) }, jsonSchema: { type: 'object' } };
export const brief = { kind: 'user-simulator', specVersion: 1, name: 'brief', origin: { package: 'user-brief', version: '1.0.0' }, options: noOptions,
  open: ({ scenario }) => ({ next: async (soFar) => soFar.length >= 2
    ? { ending: { by: 'turn-limit', reason: 'two are enough' } }
    : { message: { role: 'user', parts: [{ text: scenario.startingPrompt + soFar.length }] } } }) };
export const calm = { kind: 'criterion', specVersion: 3, name: 'calm', origin: { package: 'user-brief', version: '1.0.0' }, description: 'Calm.',
  decides: true, range: { min: 0, max: 1, better: 'higher' }, options: noOptions, scope: 'turn', evaluate: () => ({ value: 1 }) };`;

const scenario = { starting_prompt: 'Book ', conversation_plan: 'Book two rooms.' };
const files = {
  'agent.mjs': agent,
  'user.mjs': user,
  's.evalset.json': {
    ...evalSet(
      's',
      {
        ...evalCase('fixed', turn('Book.', 'Booked.'), turn('Again.', 'Booked.')),
        rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'Kind.' } }],
      },
      {
        eval_id: 'led',
        conversation_scenario: scenario,
        session_input: { app_name: 'a', user_id: 'u', state: { lane: 1 } },
      },
      evalCase('broken', turn('Please break.', 'No.')),
    ),
    name: 'kept',
  },
  'test_config.json': { plugins: ['./user.mjs'], criteria: { calm: 1 }, user_simulator_config: { type: 'brief' } },
  'session.session.json': {
    id: 'my session',
    appName: 'a',
    userId: 'u',
    state: { lane: 1, order: 'x' },
    events: [
      { invocationId: 'i', author: 'user', content: { role: 'user', parts: [{ text: 'Book lane 4.' }] } },
      {
        invocationId: 'i',
        author: 'a',
        content: { role: 'model', parts: [{ functionCall: { name: 'book', args: { day: '2026-05-01', lane: 4 } } }] },
        actions: { stateDelta: { order: 'x' } },
      },
      { invocationId: 'i', author: 'a', content: { role: 'model', parts: [{ text: 'Done: Book lane 4.' }] } },
    ],
  },
};

/** Creates a folder in which the set has been run once. */
async function afterARun() {
  const folder = folderOf(files);
  const runs = ['--runs_folder', join(folder, 'runs')];
  const ran = await capture(['eval', folder, ...runs]);
  const add = (...args: string[]) => capture(['eval_set', 'add_session', folder, 's', ...args, ...runs]);
  return { folder, ran, runs, add };
}

describe('agent-criteria eval_set add_session', () => {
  it('makes a case from a session file, with matchers for values that the user did not mention', async () => {
    const folder = folderOf({ ...files, 'plain/test_config.json': {} });
    const add = (...more: string[]) =>
      capture(['eval_set', 'add_session', folder, 's', join(folder, 'session.session.json'), ...more]);
    const { code, out, err } = await add();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Case "my session" added to ');
    expect(out).toContain(': 1 turn, 1 tool call\n');
    expect(out).toContain('Left out of the state, because the conversation itself set it: order.');
    expect(out).toMatch(/^ {2}book +day +a date +\{"shape":"date"\}$/m);
    const written = read(folder);
    expect(written.name).toBe('kept');
    const added = written.eval_cases.at(-1);
    expect(added).toMatchObject({
      eval_id: 'my session',
      session_input: { app_name: 'a', user_id: 'u', state: { lane: 1 } },
      agent_criteria: { tool_trajectory_avg_score: { matchers: { book: { day: { shape: 'date' } } } } },
    });
    expect(added.conversation[0].intermediate_data.invocation_events[0].content.parts[0].function_call.args).toEqual({
      day: '2026-05-01',
      lane: 4,
    });
    // The command that it suggests next works.
    const next = /agent-criteria (eval_set show .*)/.exec(out)?.[1] ?? '';
    expect(next).toBe(`eval_set show ${folder} s 'my session'`);
    expect((await capture(['eval_set', 'show', folder, 's', 'my session'])).out).toContain(
      'answer   Done: Book lane 4.',
    );

    const again = await add();
    expect(again.code).toBe(2);
    expect(again.err).toContain('the eval set already has a case "my session"');
    expect(read(folder)).toEqual(written);
    const bare = await add('--eval_id', 'other', '--no_matchers', '--json');
    expect(JSON.parse(bare.out)).toMatchObject({ added: 'other', matchers: {} });
    expect(read(folder).eval_cases.at(-1).agent_criteria).toBeUndefined();
  });

  it('notes turns in which the agent waited for a person, which no evaluation can handle', async () => {
    const event = (author: string, part: object) => ({ invocationId: 'j', author, content: { parts: [part] } });
    const asks = { functionCall: { id: '1', name: 'adk_request_confirmation', args: {} } };
    const events = [...files['session.session.json'].events, event('user', { text: 'Pay.' }), event('a', asks)];
    const folder = folderOf({ ...files, 'asked.json': { ...files['session.session.json'], events } });
    const add = (file: string, id: string) =>
      capture(['eval_set', 'add_session', folder, 's', join(folder, file), '--eval_id', id]);
    expect((await add('asked.json', 'asked')).out).toContain(
      'The agent waited for a person in turn 2, and no one can answer',
    );
    expect((await add('session.session.json', 'other')).out).not.toContain('waited for a person');
  });

  it('makes a fixed case from a simulated conversation, and another run passes it', async () => {
    const { folder, add, runs } = await afterARun();
    const { code, out, err } = await add('last', 'led');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('It ended at the turn limit');
    const { conversation_scenario: none, ...added } = read(folder).eval_cases.at(-1);
    expect(none).toBeUndefined();
    expect(added).toMatchObject({
      eval_id: 'led_recorded',
      session_input: { app_name: 'a', user_id: 'u', state: { lane: 1 } },
    });
    expect(added.conversation.map((one: { user_content: unknown }) => one.user_content)).toMatchObject([
      { parts: [{ text: 'Book 0' }] },
      { parts: [{ text: 'Book 1' }] },
    ]);
    expect(added.conversation[0].duration).toBeUndefined();
    expect(added.agent_criteria.tool_trajectory_avg_score.matchers.book).toEqual({
      order: { pattern: 'ORD-[0-9]+' },
      day: { shape: 'date' },
    });
    // The agent now gives different ids and days.
    const judged = folderOf({
      'test_config.json': { criteria: { tool_trajectory_avg_score: 1, response_match_score: 1 } },
    });
    const config = ['--config_file_path', join(judged, 'test_config.json'), '--case', 'led_recorded'];
    const evaluated = await capture(['eval', folder, join(folder, 's.evalset.json'), ...config, ...runs]);
    expect(evaluated.out).toContain('1 passed of 1 case');
  });

  it("keeps the case's rubrics and options, and copies the config's matchers", async () => {
    const folder = folderOf({
      ...files,
      's.evalset.json': evalSet('s', {
        ...evalCase('a', turn('Book.', 'Booked.')),
        rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'Kind.' } }],
        agent_criteria: { tool_trajectory_avg_score: { match_type: 'IN_ORDER' } },
      }),
      'test_config.json': {
        criteria: { tool_trajectory_avg_score: { threshold: 0, matchers: { book: { day: { ignore: true } } } } },
      },
    });
    const runs = ['--runs_folder', join(folder, 'runs')];
    await capture(['eval', folder, '--num_runs', '2', ...runs]);
    const { code } = await capture([
      'eval_set',
      'add_session',
      folder,
      's',
      'last',
      'a',
      '2',
      '--eval_id',
      'b',
      ...runs,
    ]);
    expect(code).toBe(0);
    const { rubrics, agent_criteria } = read(folder).eval_cases[1];
    expect(rubrics).toHaveLength(1);
    expect(agent_criteria.tool_trajectory_avg_score).toEqual({
      match_type: 'IN_ORDER',
      matchers: { book: { day: { ignore: true }, order: { pattern: 'ORD-[0-9]+' } } },
    });
    expect((await capture(['validate', folder])).code).toBe(0);
  });

  it('suggests no matchers if arguments are not compared', async () => {
    const folder = folderOf({
      ...files,
      'test_config.json': { criteria: { tool_trajectory_avg_score: { threshold: 1, ignore_args: true } } },
      's.evalset.json': evalSet('s'),
    });
    const { out } = await capture(['eval_set', 'add_session', folder, 's', join(folder, 'session.session.json')]);
    expect(out).not.toContain('Arguments that may differ');
    expect((await capture(['validate', join(folder, 's.evalset.json')])).code).toBe(0);
  });

  it('suggests a repeat that ended normally if the requested one did not', async () => {
    const flaky = agent.replace("text.includes('break')", 'globalThis.cutTheWire === true');
    const folder = folderOf({ ...files, 'agent.mjs': flaky });
    const runs = ['--runs_folder', join(folder, 'runs')];
    await capture(['eval', folder, '--num_runs', '2', ...runs]);
    Object.assign(globalThis, { cutTheWire: true });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'cutTheWire'));
    await capture(['eval', folder, ...runs]);
    const add = (...args: string[]) => capture(['eval_set', 'add_session', folder, 's', ...args, ...runs]);
    const { code, err } = await add('last', 'fixed');
    expect(code).toBe(2);
    const [, run = ''] = /another run has one that finished: name (\S+) fixed instead of this one/.exec(err) ?? [];
    expect((await add(run, 'fixed')).out).toContain('Case "fixed_recorded" added');
  });

  it.each<[readonly string[], string]>([
    [[], 'name a session file, or a run and a case of it'],
    [['last'], 'name the case of the run'],
    [['last', 'led', '2'], 'the run has no conversation of the case "led", repeat 2: there is 1'],
    [['last', 'led', 'x'], '"x" is not a repeat'],
    [['last', 'nobody'], 'the run has no case "nobody"'],
    [['last', 'led', '--eval_set', 'x'], 'the run has no case "led" in an eval set "x"'],
    [['last', 'broken'], 'ended with an error: turn 1: the agent threw: the wire is cut'],
    [['none.json'], 'there is no such file'],
    [['nothing', 'led'], 'there is no run "nothing"'],
    [['DIR/session.session.json', 'led'], 'is an unexpected argument'],
    [['DIR/test_config.json'], 'this is not an ADK session'],
    [['last', 'led', '--eval_id', 'fixed'], 'the eval set already has a case "fixed"'],
    [['last', 'led', '--eval_id', ' '], 'an empty text was given for --eval-id'],
  ])('rejects %j, and writes nothing', async (args, told) => {
    const { folder, add } = await afterARun();
    const { code, err } = await add(...args.map((arg) => arg.replace('DIR', folder)));
    expect(err).toContain(told);
    expect(code).toBe(2);
    expect(read(folder).eval_cases).toHaveLength(3);
  });
});
