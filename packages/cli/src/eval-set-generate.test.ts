import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, startFakeGemini } from '@agent-criteria/test-servers';
import { describe, expect, it, vi } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { during, useGemini } from './__fixtures__/judged-project.ts';

const agent = `export const rootAgent = Object.assign((message) => 'You said ' + message, {
  description: 'Books rooms.',
  instructions: 'You book rooms for {guest_name}. Today is {date}.',
  tools: [{ name: 'find_room' }, { name: 'book_room' }, { name: 'cancel_room' }],
});`;

const words = ['garden', 'quiet', 'early', 'wheelchair', 'invoice', 'balcony', 'dinner', 'parking', 'poodle', 'sauna'];

/** Writes every scenario that it is asked for, each about another word. */
function writer(asked: Asked): string {
  const list = /\[begin \w+: scenarios to write\]\n([\s\S]*?)\n\[end /.exec(asked.text)?.[1] ?? '[]';
  const old = /\[begin \w+: scenarios that exist\]\n([\s\S]*?)\n\[end /.exec(asked.text)?.[1] ?? '[]';
  const before = (JSON.parse(old) as unknown[]).length;
  return JSON.stringify({
    scenarios: (JSON.parse(list) as { number: number }[]).map(({ number }) => {
      const word = words[(before + number - 1) % words.length] as string;
      return { number, starting_prompt: `About the ${word}`, conversation_plan: `${word} `.repeat(9).trim() };
    }),
  });
}

async function project(answer = writer) {
  const gemini = await during(startFakeGemini({ answer }));
  useGemini(gemini);
  const folder = folderOf({ 'agent.mjs': agent });
  const generate = (...args: string[]) =>
    capture(['eval_set', 'generate_eval_cases', join(folder, 'agent.mjs'), 'made', ...args], {
      environment: process.env,
    });
  const cases = () => JSON.parse(readFileSync(join(folder, 'made.evalset.json'), 'utf8')).eval_cases;
  return { folder, gemini, generate, cases };
}

describe('agent-criteria eval_set generate_eval_cases', () => {
  it('creates the set with a case for each scenario, and says what they aim at', async () => {
    const { generate, cases, gemini } = await project();
    const { code, out, err } = await generate('--count', '5', '--persona', 'NOVICE', '--seed', '3');
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^5 cases added to .*made\.evalset\.json, of 5 asked for\.$/m);
    expect(out).toMatch(/^Personas: NOVICE 5$/m);
    expect(out).toMatch(/^Tools: 3 of 3$/m);
    expect(cases()).toHaveLength(5);
    expect(cases()[0]).toMatchObject({
      eval_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      conversation_scenario: { starting_prompt: expect.stringMatching(/^About the /), user_persona: 'NOVICE' },
      session_input: { user_id: 'test_user_id', state: { guest_name: '', date: '' } },
      agent_criteria: { tags: expect.arrayContaining([expect.any(String)]) },
    });
    const [request] = gemini.requests;
    expect(JSON.stringify(request?.body)).toContain('You book rooms for {guest_name}');
    expect(request?.body).toMatchObject({ generationConfig: { seed: 3 } });
  });

  it("reads ADK's file, and adds to a set without repeating its scenarios", async () => {
    const { folder, generate, cases, gemini } = await project();
    const file = join(folder, 'generation.json');
    const config = { count: 3, model_name: 'gemini-2.5-pro', generation_instruction: 'Test weekends.' };
    writeFileSync(file, JSON.stringify({ ...config, environment_context: 'Room 4 is free.' }));
    expect(await generate('--user_simulation_config_file', file)).toMatchObject({ code: 0, err: '' });
    const before = cases();
    const { code, out } = await generate('--user_simulation_config_file', file, '--count', '2', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ asked: 2, duplicates: 0, problems: [], added: { length: 2 } });
    expect(cases().slice(0, 3)).toEqual(before);
    expect(cases()).toHaveLength(5);
    const texts = gemini.requests.map(({ body }) => JSON.stringify(body));
    expect(gemini.requests[0]?.path).toContain('gemini-2.5-pro');
    expect(texts[0]).toContain('Test weekends.');
    expect(texts[0]).toContain('Room 4 is free.');
    expect(texts[1]).toContain(before[0].conversation_scenario.starting_prompt);
  });

  it('exits with 3 and says why if the model wrote fewer than asked for, and keeps those', async () => {
    const { generate, cases } = await project((asked) =>
      asked.text.includes('"number": 2') ? writer(asked).replaceAll(/"number":[2-5]/g, '"number":9') : '{}',
    );
    const { code, err, out } = await generate('--count', '5');
    expect(code).toBe(3);
    expect(out).toContain('of 5 asked for');
    expect(err).toMatch(/^Exit code 3: \d scenarios? missing: .*Repeat the command to add more\.$/m);
    expect(cases().length).toBeGreaterThan(0);
  });

  it('replays a recording without a key and without a call', async () => {
    const { folder, generate, cases, gemini } = await project();
    const recording = join(folder, 'made.recording.jsonl');
    const first = await generate('--count', '4', '--recording', `${recording}:record`);
    expect(first.code).toBe(0);
    const made = cases();
    rmSync(join(folder, 'made.evalset.json'));
    vi.stubEnv('GEMINI_API_KEY', undefined);
    const calls = gemini.requests.length;
    const again = await generate('--count', '4', '--recording', `${recording}:replay`);
    expect([again.code, again.err]).toEqual([0, '']);
    const withoutTime = (list: readonly object[]) => list.map((one) => ({ ...one, creation_timestamp: 0 }));
    expect(withoutTime(cases())).toEqual(withoutTime(made));
    expect(gemini.requests).toHaveLength(calls);
  });

  it('keeps its budget, and the scenarios that were paid for', async () => {
    const { generate, cases, gemini } = await project();
    const { code, err } = await generate('--count', '10', '--max-calls', '1');
    expect(code).toBe(3);
    expect(err).toContain('5 scenarios missing');
    expect(gemini.requests).toHaveLength(1);
    expect(cases()).toHaveLength(5);
  });

  it('writes nothing if no scenario could be written', async () => {
    const { folder, generate } = await project();
    vi.stubEnv('GEMINI_API_KEY', undefined);
    const { code, err } = await generate();
    expect(code).toBe(2);
    expect(err).toContain('GEMINI_API_KEY');
    expect(existsSync(join(folder, 'made.evalset.json'))).toBe(false);
  });

  it.each([
    [['--count', '0'], '--count must be a whole number above 0'],
    [['--count', '1001'], 'count must be a whole number from 1 to 1000'],
    [['--seed', 'x'], 'seed must be a whole number from 0'],
    [['--persona', 'NOVISE'], 'did you mean "NOVICE"'],
    [['--model', 'gpt-9'], 'gpt-9'],
    [['--user-simulation-config-file', 'none.json'], 'none.json'],
  ])('rejects %j before it asks the model or writes a file', async (args, message) => {
    const { folder, generate, gemini } = await project();
    const { code, err } = await generate(...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
    expect(gemini.requests).toEqual([]);
    expect(existsSync(join(folder, 'made.evalset.json'))).toBe(false);
  });

  it('rejects an agent of which nothing is known', async () => {
    const { folder, generate, gemini } = await project();
    writeFileSync(join(folder, 'agent.mjs'), `export const rootAgent = () => 'Hi';`);
    const { code, err } = await generate();
    expect(err).toContain('the agent says nothing about itself');
    expect(code).toBe(2);
    expect(gemini.requests).toEqual([]);
  });
});
