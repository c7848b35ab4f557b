import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { builtInPersonas } from '@agent-criteria/user-simulator/pure';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('agent-criteria eval_set create', () => {
  it('creates an empty set where ADK looks for it, and the other commands accept it', async () => {
    const folder = folderOf({ 'agent.ts': '' });
    const { code, out } = await capture(['eval_set', 'create', join(folder, 'agent.ts'), 'my_set']);
    const file = join(folder, 'my_set.evalset.json');
    expect(out).toBe(`Eval set "my_set" created for ${basename(folder)}: ${file}\n`);
    expect(code).toBe(0);
    const { creation_timestamp: time, ...rest } = read(file);
    expect(rest).toEqual({ eval_set_id: 'my_set', name: 'my_set', eval_cases: [] });
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    expect((await capture(['eval_set', 'list', folder])).out).toBe('my_set  0 cases\n');
  });

  it('never overwrites a set', async () => {
    const folder = folderOf({ 'mine.evalset.json': evalSet('mine', evalCase('a', turn('Hi'))) });
    const { code, err } = await capture(['eval-set', 'create', folder, 'mine']);
    expect(err).toContain('mine.evalset.json: this eval set already exists');
    expect(code).toBe(2);
    expect(read(join(folder, 'mine.evalset.json')).eval_cases).toHaveLength(1);
  });

  it.each([
    [['DIR'], 'name an agent and the id of the new set'],
    [['DIR/none', 'x'], 'none: there is no such file or folder'],
    [['DIR', 'my-set'], '"my-set" is not a valid eval set id'],
    [['DIR', '../x'], '"../x" is not a valid eval set id'],
  ])('rejects %j', async (args, told) => {
    const folder = folderOf({ 'agent.ts': '' });
    const { code, err } = await capture(['eval_set', 'create', ...args.map((arg) => arg.replace('DIR', folder))]);
    expect(err).toContain(told);
    expect(code).toBe(2);
  });
});

describe('agent-criteria eval_set list', () => {
  it('lists the sets of an agent by id, including those that cannot be read', async () => {
    const folder = folderOf({
      'b.evalset.json': evalSet('other', evalCase('a', turn('Hi'))),
      'a.evalset.json': '{',
      'c.test.json': evalSet('c'),
      'old.evalset.json': [{ name: 'x', data: [{ query: 'Hi' }] }],
    });
    const { code, out, err } = await capture(['eval_set', 'list', folder]);
    expect(out).toBe('a    cannot be read\nb    1 case\nold  1 case\n');
    expect(err).toContain('a.evalset.json: this is not JSON');
    expect(code).toBe(2);
    const { out: json } = await capture(['eval_set', 'list', folder, '--json']);
    expect(JSON.parse(json)[1]).toEqual({ id: 'b', file: join(folder, 'b.evalset.json'), cases: 1 });
  });

  it('reports that there are no sets', async () => {
    const { code, out } = await capture(['eval_set', 'list', folderOf({ 'agent.ts': '' })]);
    expect(out).toContain('No eval sets in ');
    expect(code).toBe(0);
  });
});

describe('agent-criteria eval_set show', () => {
  const set = evalSet(
    's',
    evalCase('hello', turn('Hi\u001b[31m there', 'Hello.', [{ name: 'greet', args: { loud: true } }]), turn('Bye')),
    {
      eval_id: 'led',
      conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'Ask.', user_persona: 'NOVICE' },
    },
  );

  it('shows the cases of a set', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const { code, out } = await capture(['eval_set', 'show', folder, 's']);
    expect(out.split('\n').slice(2)).toEqual([
      'case   turns     expected calls  first message',
      'hello  2         1               Hi␛[31m there',
      'led    scenario  -               Hi',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('shows one case in full, also if the set is given by the path of its file', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const { out } = await capture(['eval_set', 'show', folder, join(folder, 's.evalset.json'), 'hello']);
    for (const text of ['user     Hi␛[31m there', 'call     greet({"loud":true})', 'answer   Hello.', 'turn 2']) {
      expect(out).toContain(text);
    }
    expect(out).not.toContain('\u001b');
    expect((await capture(['eval_set', 'show', folder, 's', 'led'])).out).toContain('persona  NOVICE');
  });

  it('prints the JSON of the set file', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const { out } = await capture(['eval_set', 'show', folder, 's', 'led', '--json']);
    expect(JSON.parse(out).eval_cases).toEqual([(set as { eval_cases: object[] }).eval_cases[1]]);
  });

  it.each([
    [['DIR', 'st'], 'there is no eval set "st"'],
    [['DIR', 's', 'helo'], 'the eval set has no case "helo"; did you mean "hello"?'],
    [['DIR', 's', 'zzz'], 'it has: hello, led'],
    [['DIR'], 'name an agent and the id of a set'],
  ])('rejects %j', async (args, told) => {
    const folder = folderOf({ 's.evalset.json': set });
    const { code, err } = await capture(['eval_set', 'show', ...args.map((arg) => arg.replace('DIR', folder))]);
    expect(err).toContain(told);
    expect(code).toBe(2);
  });
});

describe('agent-criteria eval_set add_eval_case', () => {
  const first = { starting_prompt: 'Is the pool open?', conversation_plan: 'Ask for the hours, then book a lane.' };
  const files = {
    's.evalset.json': { ...evalSet('s', evalCase('a', turn('Hi'))), name: 'kept' },
    'scenarios.json': { scenarios: [first, { starting_prompt: 'Hi', conversation_plan: '' }, first] },
    'session.json': { app_name: 'pool', user_id: 'u', state: { lane: 1 } },
  };
  const add = (folder: string, scenarios = 'scenarios.json', session = 'session.json') =>
    capture([
      ...['eval_set', 'add_eval_case', folder, 's'],
      ...['--scenarios_file', join(folder, scenarios), '--session_input_file', join(folder, session), '--json'],
    ]);

  it('makes a case from each scenario, with the id that ADK would give it, and skips existing ones', async () => {
    const folder = folderOf(files);
    const { code, out } = await add(folder);
    const { added, skipped } = JSON.parse(out);
    expect(added).toEqual(['dedc6843', expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(skipped).toEqual(['dedc6843']);
    expect(code).toBe(0);
    const written = read(join(folder, 's.evalset.json'));
    expect(written.name).toBe('kept');
    expect(written.eval_cases).toHaveLength(3);
    expect(written.eval_cases[1]).toMatchObject({
      eval_id: 'dedc6843',
      conversation_scenario: first,
      session_input: files['session.json'],
    });
    expect(JSON.parse((await add(folder)).out).added).toEqual([]);
    expect(read(join(folder, 's.evalset.json'))).toEqual(written);
  });

  it('accepts a persona by a known id or written out in full, and no others', async () => {
    const persona = { id: 'MINE', description: 'Mine.', behaviors: [] };
    // The personas that the simulator has built in.
    const personaIds = builtInPersonas.map(({ id }) => id);
    const scenarios = [...personaIds, persona].map((user_persona) => ({ ...first, user_persona }));
    const folder = folderOf({ ...files, 'scenarios.json': { scenarios } });
    const { code, out } = await add(folder);
    expect(code).toBe(0);
    expect(new Set(JSON.parse(out).added).size).toBe(5);
    const written = read(join(folder, 's.evalset.json')).eval_cases.slice(1);
    expect(written.map((one: { conversation_scenario: object }) => one.conversation_scenario)).toEqual(scenarios);

    const unknown = folderOf({
      ...files,
      'scenarios.json': { scenarios: [first, { ...first, user_persona: 'NOVISE' }] },
    });
    const refused = await add(unknown);
    expect(refused.err).toContain(
      'scenarios.json $.scenarios[1].user_persona: there is no persona "NOVISE"; did you mean "NOVICE"?',
    );
    expect(refused.code).toBe(2);
    const other = folderOf({ ...files, 'scenarios.json': { scenarios: [{ ...first, user_persona: 'zzz' }] } });
    expect((await add(other)).err).toContain(`use one of ${personaIds.join(', ')}`);
    expect(read(join(other, 's.evalset.json')).eval_cases).toHaveLength(1);
  });

  it('reports all mistakes together, and then writes nothing', async () => {
    const folder = folderOf({ ...files, 'bad.json': { scenarios: [{ starting_prompt: 5 }] }, 'user.json': {} });
    const { code, err } = await add(folder, 'bad.json', 'user.json');
    expect(err).toContain('bad.json $.scenarios[0].starting_prompt: ');
    expect(err).toContain('user.json $');
    expect(code).toBe(2);
    expect(read(join(folder, 's.evalset.json')).eval_cases).toHaveLength(1);
    expect((await capture(['eval_set', 'add_eval_case', folder, 's'])).err).toContain('name both files');
    expect((await add(folderOf({ ...files, 'none.json': { scenarios: [] } }), 'none.json')).err).toContain(
      'no scenario',
    );
  });
});
