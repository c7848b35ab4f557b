import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, startFakeGemini } from '@agent-criteria/test-servers';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { during, judgedProject, useGemini } from './__fixtures__/judged-project.ts';

// Lets a simulated user talk to an agent and criteria judge the conversation, from the command line over HTTP.

const led = (id: string, plan: string) => ({
  eval_id: id,
  conversation_scenario: { starting_prompt: `Begin ${id}.`, conversation_plan: plan },
});
const twoLed = evalSet('led', led('short', 'End soon.'), led('long', 'Never end.'));
const mixed = evalSet('mixed', evalCase('fixed', turn('Say a.', 'Say a.')), led('short', 'End soon.'));

const quality = { per_turn_user_simulator_quality_v1: { threshold: 0.5 } };
const limited = (most: number) => ({ user_simulator_config: { max_allowed_invocations: most } });

/** Answers for user and judge: the user of the plan "Never end." never ends, and the judge approves of everything. */
function model(asked: Asked) {
  const properties = Object.keys((asked.schema as { properties?: object } | null)?.properties ?? {});
  if (properties.includes('done')) {
    const done = !asked.text.includes('Never end.');
    return JSON.stringify({ reason: done ? 'all is said' : 'more is wanted', done, message: done ? '' : 'Go on.' });
  }
  if (properties.includes('is_valid')) return JSON.stringify({ criteria: [], is_valid: true });
  const text = material(asked, 'the text to cut');
  if (text !== undefined) return JSON.stringify({ sentences: text.split(/(?<=[.?!])\s+/) });
  const sentences: unknown[] = JSON.parse(material(asked, 'the sentences to check, as JSON') ?? '[]');
  const rest = { label: 'supported', rationale: 'said so', supporting_excerpt: null, contradicting_excerpt: null };
  return JSON.stringify({ sentences: sentences.map((_, index) => ({ number: index + 1, ...rest })) });
}

/** Extracts a named section of a judge's prompt. */
function material({ text }: Asked, name: string): string | undefined {
  return new RegExp(`^\\[begin \\w+: ${name}\\]\\n([^]*?)\\n\\[end `, 'm').exec(text)?.[1];
}

async function project(set: object, config: object) {
  const gemini = await during(startFakeGemini({ answer: model }));
  useGemini(gemini);
  const made = judgedProject({}, {}, { 'home.evalset.json': set, 'test_config.json': config });
  // For commands that do not deal with runs.
  const plain = (...args: string[]) => capture(args.map((arg) => arg.replaceAll('DIR', made.folder)));
  return { ...made, gemini, plain };
}

describe('conversations of simulated users', () => {
  it('are reported by how they ended, including a conversation that passed at its turn limit', async () => {
    const { command, folder } = await project(twoLed, { criteria: quality, ...limited(3) });
    const report = join(folder, 'report.xml');
    const { code, out, err } = await command('eval', 'DIR', '--output', report);
    expect(err).toBe('');
    expect(out).toMatch(/^short .* passed$/m);
    expect(out).toMatch(/^long .* passed, at the turn limit$/m);
    expect(out).toMatch(/^1 conversation ended at the turn limit, before the user had finished\.$/m);
    expect(code).toBe(0);
    expect(readFileSync(report, 'utf8')).toContain('<property name="ended by" value="user: all is said"/>');

    const long = await command('show', 'last', 'long');
    expect(long.out).toContain('  ended: turn limit reached after 3 turns (the user has sent all 3 messages');
    expect((await command('show', 'last', 'short')).out).toContain('  ended: by the user (all is said)');
    expect((await command('show')).out).toContain('1 conversation ended at the turn limit');
    const read = JSON.parse((await command('show', '--json')).out);
    expect(read.endings).toEqual({ user: 1, 'turn-limit': 1 });
  });

  it('are counted once in detailed output, and by generate', async () => {
    const { command } = await project(twoLed, { criteria: quality, ...limited(2) });
    const { out } = await command('eval', 'DIR', '--print_detailed_results');
    expect(out).toMatch(/^1 conversation ended at the turn limit/m);
    expect(out).toMatch(/^simulator: 2 calls/m);
    const generated = await command('generate', 'DIR');
    expect(generated.out).toContain('2 of 2 inferences recorded\n1 conversation ended at the turn limit');
    expect(JSON.parse((await command('generate', 'DIR', '--json')).out).atTurnLimit).toBe(1);
  });

  it('are estimated by --dry-run, up to the limit of the config', async () => {
    const { command, gemini } = await project(twoLed, { criteria: quality, ...limited(5) });
    const { out, code } = await command('eval', 'DIR', '--dry_run', '--num_runs', '2');
    expect(out).toMatch(/^led +llm_backed \(the user\) +gemini-2\.5-flash +4 to 16 /m);
    expect(out).toContain('up to max_allowed_invocations');
    expect([code, gemini.requests.length]).toEqual([0, 0]);
    const json = JSON.parse((await command('eval', 'DIR', '--dry_run', '--json')).out);
    expect(json.users).toMatchObject([{ set: 'led', calls: { min: 2, max: 8 } }]);
    expect(json.criteria.map((row: { criterion: string }) => row.criterion)).toEqual(Object.keys(quality));

    const endless = await project(twoLed, { criteria: quality, ...limited(-1) });
    expect((await endless.command('eval', 'DIR', '--dry_run')).out).toMatch(/\(the user\) +gemini-2\.5-flash +unknown/);
  });

  it('are recorded in the order of the conversation, and replayed', async () => {
    const { command, folder, gemini } = await project(twoLed, { criteria: quality, ...limited(4) });
    const file = join(folder, 'users.jsonl');
    expect((await command('eval', 'DIR', '--recording', `${file}:record`)).code).toBe(0);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const turns = lines.flatMap((line) => {
      const { by, caseId, turn } = JSON.parse(line);
      return by === 'llm_backed' && caseId === 'long' ? [turn] : [];
    });
    // The starting prompt is not an answer from a model.
    expect(turns).toEqual([1, 2, 3]);
    const asked = gemini.requests.length;
    const replayed = await command('eval', 'DIR', '--recording', `${file}:replay`);
    expect([replayed.code, replayed.err]).toEqual([0, '']);
    expect(replayed.out).toContain(`\njudges and simulated users answer from the recording ${file}\n`);
    expect((await command('generate', 'DIR', '--recording', `${file}:replay`)).out).toContain(
      '\nsimulated users answer from',
    );
    expect((await command('score', 'last', '--recording', `${file}:replay`)).out).toContain('\njudges answer from');

    // Older recordings do not contain the users' turn numbers.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("by":"llm_backed","turn":)\d+/g, '$1null'));
    const old = await command('eval', 'DIR', '--recording', `${file}:replay`);
    expect([old.code, old.err]).toEqual([0, '']);
    expect(gemini.requests).toHaveLength(asked);
  });

  it('have their model checked by doctor', async () => {
    const config = { criteria: quality, user_simulator_config: { model: 'gemini-2.5-pro' } };
    const { command } = await project(twoLed, config);
    const { out } = await command('doctor', 'DIR');
    expect(out).toMatch(/^ {2}gemini-2\.5-pro, for llm_backed: .*answered in \d+ ms$/m);
  });
});

describe('criteria that do not fit', () => {
  it('are rejected with a list of criteria that fit, and with the command that creates a config if there is none', async () => {
    const { command, plain, folder } = await project(twoLed, { criteria: quality });
    cpSync(join(folder, 'home.evalset.json'), join(folder, 'bare', 'home.evalset.json'), { recursive: true });
    const { code, err } = await command('eval', 'DIR', 'DIR/bare/home.evalset.json');
    expect(code).toBe(2);
    expect(err).toContain('no default criterion applies to any case of the eval set "led": tool_trajectory_avg_score');
    expect(err).toContain('hallucinations_v1');
    expect(err).toContain('agent-criteria init proposes one');
    // Fitting criteria are listed only once.
    expect(err.match(/These fit this set/g)).toHaveLength(1);

    const proposed = await plain('init', 'DIR/bare');
    expect(proposed.code).toBe(0);
    const fixed = await command('eval', 'DIR', 'DIR/bare/home.evalset.json');
    expect(fixed.err).toBe('');
    expect(fixed.code).toBe(0);
  });

  it('cause a warning with the config entry that makes a mixed set pass', async () => {
    const criteria = { response_match_score: 0.8, ...quality };
    const { command, folder } = await project(mixed, { criteria });
    const strict = await command('eval', 'DIR');
    expect(strict.code).toBe(3);
    const entries = [...strict.err.matchAll(/"(\w+)": (\{[^}]*\}) lets their other/g)];
    expect(entries.map(([, name]) => name)).toEqual(Object.keys(criteria));
    const written = Object.fromEntries(entries.map(([, name = '', entry = '']) => [name, JSON.parse(entry)]));
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify({ criteria: written }));
    const { code, out } = await command('eval', 'DIR');
    expect(out).toContain('2 passed of 2 cases');
    expect(code).toBe(0);
  });
});

describe('init next to eval sets', () => {
  const beside = async (files: Readonly<Record<string, object>>) => {
    const made = await project(twoLed, { criteria: quality });
    const folder = join(made.folder, 'sets');
    for (const [name, set] of Object.entries(files)) {
      cpSync(join(made.folder, 'home.evalset.json'), join(folder, name), { recursive: true });
      writeFileSync(join(folder, name), JSON.stringify(set));
    }
    const told = await made.plain('init', folder);
    const config = JSON.parse(readFileSync(join(folder, 'test_config.json'), 'utf8'));
    return { ...told, config, run: () => made.command('eval', 'DIR', folder) };
  };

  it('proposes criteria for simulated conversations, and they work', async () => {
    const { config, out, run } = await beside({ 'led.evalset.json': evalSet('led', led('short', 'End soon.')) });
    expect(config).toEqual({
      criteria: { hallucinations_v1: { threshold: 0.8 }, per_turn_user_simulator_quality_v1: { threshold: 0.8 } },
      user_simulator_config: { type: 'llm_backed', model: 'gemini-2.5-flash', max_allowed_invocations: 20 },
    });
    expect(out).toContain('and so does the simulated user');
    const evaluated = await run();
    expect([evaluated.code, evaluated.err]).toEqual([0, '']);
  });

  it('lets each case of a mixed set be decided by the criteria that fit it, and the set passes', async () => {
    const { config, run } = await beside({ 'mixed.evalset.json': mixed });
    expect(config.criteria).toEqual({
      tool_trajectory_avg_score: { threshold: 1, when_not_applicable: 'skip' },
      response_match_score: { threshold: 0.8, when_not_applicable: 'skip' },
      hallucinations_v1: { threshold: 0.8 },
      per_turn_user_simulator_quality_v1: { threshold: 0.8, when_not_applicable: 'skip' },
    });
    const { code, out } = await run();
    expect(out).toContain('2 passed of 2 cases');
    expect(code).toBe(0);
  });

  it('leaves out criteria that would be a mistake for one of several sets', async () => {
    const fixed = evalSet('fixed', evalCase('fixed', turn('Say a.', 'Say a.')));
    const sets = { 'fixed.evalset.json': fixed, 'led.evalset.json': evalSet('led', led('short', 'End soon.')) };
    const { config, out, run } = await beside(sets);
    expect(Object.keys(config.criteria)).toEqual(['hallucinations_v1']);
    expect(out).toContain('Left out: tool_trajectory_avg_score, which applies to no case of led.');
    expect(out).toContain('Left out: per_turn_user_simulator_quality_v1, which applies to no case of fixed.');
    expect((await run()).code).toBe(0);
  });

  it("uses ADK's criteria for fixed conversations, and calls no model", async () => {
    const fixed = evalSet('fixed', evalCase('a', turn('Say a.', 'Say a.')), evalCase('b', turn('Say b.')));
    const { config, out, run } = await beside({ 'fixed.test.json': fixed });
    expect(config).toEqual({
      criteria: { tool_trajectory_avg_score: 1, response_match_score: { threshold: 0.8, when_not_applicable: 'skip' } },
    });
    expect(out).not.toContain('ask a model');
    expect((await run()).code).toBe(0);
  });
});

describe('init --preset simulated-users', () => {
  it('creates a project whose simulated conversation ends successfully', async () => {
    const made = await project(twoLed, { criteria: quality });
    const folder = join(made.folder, 'new');
    expect((await made.plain('init', folder, '--preset', 'simulated-users')).code).toBe(0);
    const { code, out, err } = await made.command('eval', folder);
    expect(err).toBe('');
    expect(out).toContain('1 passed of 1 case');
    expect(code).toBe(0);
  });
});

describe('tool stubs', () => {
  const stubs = [
    { tool_name: 'open_door', injection_configs: [{ match_args: { door: 3 }, injected_response: { open: true } }] },
    {
      toolName: 'ring',
      injectionConfigs: [
        { injectedError: { injectedHttpErrorCode: 503, errorMessage: 'busy' }, injectedLatencySeconds: 2 },
      ],
    },
  ];
  const stubbed = (given: unknown) => ({
    ...evalCase('door', turn('Open it.', 'Open it.')),
    agent_criteria: { tool_simulation_configs: given },
  });

  it('are shown with their case', async () => {
    const { plain } = await project(evalSet('home', stubbed(stubs)), { criteria: { response_match_score: 0.5 } });
    const { out } = await plain('eval_set', 'show', 'DIR', 'home', 'door');
    expect(out).toContain('stubbed  open_door({"door":3}) answers {"open":true}\n');
    expect(out).toContain('stubbed  ring(any arguments) fails with 503: busy, after 2 s\n');
  });

  it.each<[string, object, string]>([
    ['nothing', { tool_name: 'x', injection_configs: [] }, 'injection_configs: the stub of "x"'],
    [
      'a stub without an effect',
      { tool_name: 'x', injection_configs: [{}] },
      'injection_configs[0]: this stub does nothing',
    ],
    [
      'a slip',
      { tool_name: 'x', injection_config: [] },
      'unknown key "injection_config"; did you mean "injection_configs"?',
    ],
  ])('are checked by validate: %s', async (_what, stub, told) => {
    const { plain } = await project(evalSet('home', stubbed([stub])), { criteria: { response_match_score: 0.5 } });
    const { code, err } = await plain('validate', 'DIR');
    expect(err).toContain(told);
    expect(err).toContain('eval_cases[0].agent_criteria.tool_simulation_configs[0]');
    expect(code).toBe(2);
  });
});
