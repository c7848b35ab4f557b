import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Captured, capture } from './__fixtures__/captured-io.ts';
import { echoAgent, evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import type { Io } from './io.ts';

const lamp = (state: string, more: object = {}) => ({ name: 'switch', args: { device: 'lamp', state, ...more } });

/** Answers as the message asks: `say X`, `switch X`, `fail`, `silent`. */
const agentSource = `
export const agent = (text: string) => {
  const [verb, ...words] = text.split(' ');
  if (verb === 'fail') throw new Error('the wire is cut');
  if (verb === 'switch') return { text: 'Switched.', toolCalls: [{ name: 'switch', args: { state: words[0], device: 'lamp' } }] };
  return verb === 'silent' ? '' : words.join(' ');
};`;

const sets = evalSet(
  'rooms',
  evalCase('right', turn('say yes', 'yes'), turn('switch on', 'Switched.', [lamp('on')])),
  evalCase('wrong', turn('say fine', 'fine'), turn('switch off', 'Switched it on.', [lamp('on')])),
  evalCase('last', turn('say a b c', 'a b c')),
);

async function evaluate(
  files: Readonly<Record<string, unknown>>,
  args: readonly string[],
  io: Partial<Io> = {},
): Promise<Captured & { readonly folder: string; readonly lines: readonly string[] }> {
  const folder = folderOf({ 'agent.ts': agentSource, ...files });
  const inFolder = args.map((arg) => arg.replaceAll('DIR', folder));
  const result = await capture(['eval', join(folder, 'agent.ts'), ...inFolder], io);
  return { ...result, folder, lines: result.out.split('\n') };
}

const one = (
  content: object,
  args: readonly string[] = [],
  files: Readonly<Record<string, unknown>> = {},
  io: Partial<Io> = {},
) => evaluate({ 'a.test.json': content, ...files }, ['DIR/a.test.json', ...args], io);

const byWords = { 'test_config.json': { criteria: { response_match_score: 0.8 } } };

describe('the output of eval', () => {
  it('shows the plan, a line for each case, the failures and the totals on one screen', async () => {
    const { out, code, folder } = await one(sets);
    expect(out).toBe(`rooms: 3 cases from ${folder}/a.test.json
judged by tool_trajectory_avg_score >= 1, response_match_score >= 0.8 (ADK's defaults: there is no test_config.json next to the eval set)

Did not pass ([-expected-] {+actual+}, calls: - expected + made):

wrong: failed
  tool_trajectory_avg_score 0.5 is below the threshold 1
  response_match_score 0.75 is below the threshold 0.8
  turn 2
    prompt    switch off
    answer    Switched[- it on-].
    calls     - switch({"device":"lamp","state":"on"})
              + switch({"state":"off","device":"lamp"})
    tool_trajectory_avg_score 0: Call 1, switch, has "off" instead of "on" at args.state.
    response_match_score 0.5: 2 of 3 expected words missing
      missing: it on

case   tool_trajectory_avg_score  response_match_score  verdict
wrong  0.5 (2/2)                  0.75 (2/2)            failed
right  1 (2/2)                    1 (2/2)               passed
last   1 (1/1)                    1 (1/1)               passed
score (turns scored/turns that apply)

2 passed, 1 failed of 3 cases
pass rate 67% (95% confidence interval 13 to 98%), 3 cases
`);
    expect(code).toBe(1);
  });

  it('is the same for short flags and their long forms', async () => {
    const tagged = evalSet(
      's',
      { ...evalCase('a', turn('say yes', 'yes')), agent_criteria: { tags: ['slow'] } },
      evalCase('b', turn('say no', 'no')),
    );
    const strict = { 'strict.json': { criteria: { response_match_score: 0.9 } } };
    const short = ['-n2', '-v', '-j', '1', '-t', 'slow', '-c', 'DIR/strict.json', '-o', 'DIR/report.md'];
    const { out, code, folder } = await one(tagged, short, strict);
    expect(out).toMatch(/^s: 1 .*, 2 repeats/);
    expect(out).toContain('judged by response_match_score >= 0.9');
    expect(out).toMatch(/prompt +say yes/);
    expect(out).toContain(`Written: ${folder}/report.md`);
    expect(code).toBe(0);
  });

  it('is brief if all cases pass', async () => {
    const { out, code } = await one(evalSet('s', evalCase('a', turn('say yes', 'yes'))));
    expect(out).not.toContain('Did not pass');
    expect(out.trimEnd().split('\n').at(-1)).toBe('1 passed of 1 case');
    expect(code).toBe(0);
  });

  it('shows very different answers one below the other, and long ones from the first difference', async () => {
    const same = 'word '.repeat(1000);
    const { out } = await one(
      evalSet(
        's',
        evalCase('far', turn('say one two three', 'eins zwei drei')),
        evalCase('long', turn(`say ${same}tail`, `${same}head`)),
      ),
      [],
      { 'test_config.json': { criteria: { response_match_score: 1 } } },
    );
    expect(out).toContain('    expected  eins zwei drei\n    answer    one two three\n');
    expect(out).toMatch(/ {4}expected {2}….{60}head\n {4}answer {4}….{60}tail\n/);
    expect(out.length).toBeLessThan(3000);
  });

  it('shows only a few of many calls, starting at the first difference', async () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({ name: `call${index}` }));
    const { out } = await one(evalSet('s', evalCase('a', turn('say x', 'x', calls))));
    expect(out).toContain('- call0()');
    expect(out).toContain('  … 40 more lines');
    const detailed = await one(evalSet('s', evalCase('a', turn('say x', 'x', calls))), ['--print_detailed_results']);
    expect(detailed.out).toContain('- call59()');
  });

  it('aligns names in any script', async () => {
    const names = ['plain', '日本語の場合', 'e\u0301te\u0301', '👍👍'];
    const { lines } = await one(
      evalSet('s', ...names.map((name) => evalCase(name, turn('say yes', 'yes')))),
      [],
      byWords,
    );
    const rows = lines.filter((line) => line.endsWith('passed'));
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map((line) => stringWidth(line.slice(0, line.indexOf('1 (1/1)')))))).toHaveProperty('size', 1);
  });

  it('uses numbers in the header if the names are too wide', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `a_criterion_with_quite_a_long_name_${index}`);
    const source = names.map(
      (
        name,
        index,
      ) => `export const c${index} = { kind: 'criterion', specVersion: 3, name: '${name}', origin: { package: 'p', version: '1.0.0' },
        description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
        options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };`,
    );
    const files = {
      'mine.ts': source.join('\n'),
      'test_config.json': { plugins: ['./mine.ts'], criteria: Object.fromEntries(names.map((name) => [name, 1])) },
    };
    const { out } = await one(evalSet('s', evalCase('a', turn('say x', 'x'))), [], files, {
      width: { out: 120, err: 120 },
    });
    expect(out).toContain('case  (1)      (2)      (3)      (4)      (5)      verdict\na     1 (1/1)');
    expect(out).toContain('\n(5) a_criterion_with_quite_a_long_name_4\n');
  });

  it('contains no escape sequences from agents, tools, files or errors', async () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\u001b[31m';
    const source = `const evil = ${JSON.stringify(evil)};
      export const agent = (text: string) => {
        if (text.startsWith('fail')) throw new Error(evil + 'boom');
        return { text: evil + 'no', toolCalls: [{ name: evil + 'tool', args: { [evil]: evil } }] };
      };`;
    const set = evalSet(
      `${evil}set`,
      evalCase(`${evil}a`, turn(`${evil}Hi`, `${evil}yes`, [{ name: `${evil}x` }])),
      evalCase('b', turn('fail', 'x')),
    );
    for (const args of [[], ['--print_detailed_results']]) {
      const { out, err } = await one(set, args, { 'agent.ts': source });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters.
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      expect(out).toContain('boom');
    }
  });

  it('is coloured only on request', async () => {
    const { out } = await one(sets, [], {}, { color: true });
    expect(out).toContain('\u001b[32mpassed\u001b[39m');
    expect(out).toContain('\u001b[31m- switch(');
  });

  it('shows the error that ended a case, where it was thrown, and what the case had done by then', async () => {
    const { out, code } = await one(
      evalSet('s', evalCase('a', turn('say yes', 'yes'), turn('fail now', 'x'), turn('say more', 'more'))),
    );
    expect(out).toContain(`a: error
  turn 2: the agent threw: the wire is cut
  turn 2
    prompt    fail now
    expected  x
    answer    (this turn did not happen)
      at agent (agent.ts:4:30)
`);
    expect(out).not.toContain('say more');
    expect(out).toContain('1 error of 1 case');
    expect(code).toBe(3);
  });

  it('puts warnings on standard error, once per config', async () => {
    const commented = '{ // mine\n "criteria": { "response_match_score": 0.5 } }';
    const files = {
      'a.test.json': evalSet('a', evalCase('a', turn('say yes', 'yes'))),
      'b.test.json': evalSet('b', evalCase('b', turn('say yes', 'yes'))),
      'test_config.json': commented,
    };
    const { err, out } = await evaluate(files, ['DIR']);
    expect(err.match(/warning: .*comments or trailing commas/g)).toHaveLength(1);
    expect(out).not.toContain('warning');
  });
});

it('eval warns once about all skipped files in a folder that may be eval data', async () => {
  const { err, folder } = await evaluate(
    {
      'sets/a.test.json': evalSet('s', evalCase('a', turn('say x', 'x'))),
      'sets/eval_config.yaml': 'criteria: {}',
      'sets/notes.json': '{',
    },
    ['DIR/sets'],
  );
  expect(err.match(/warning: [^ ]+/g)).toEqual([
    `warning: ${folder}/sets/eval_config.yaml:`,
    `warning: ${folder}/sets/notes.json:`,
  ]);
});

describe('--print_detailed_results', () => {
  it('shows every turn of every case in full, failures first, and nothing twice', async () => {
    const { out } = await one(sets, ['--print_detailed_results']);
    const shown = out.slice(out.indexOf('\nDid not pass ')).replace(/(?<=invocation_duration_v1 )[\d.]+/g, 'TIME');
    expect(shown).toBe(`
Did not pass ([-expected-] {+actual+}, calls: - expected + made):

wrong: failed
  tool_trajectory_avg_score 0.5 is below the threshold 1
  response_match_score 0.75 is below the threshold 0.8
  tool_call_count_v1 0.5, only measured
  inference_call_count_v1: 2 of 2 turns could not be judged: the agent reports no calls to models
  token_usage_v1: 2 of 2 turns could not be judged: the agent reports no tokens
  invocation_duration_v1 TIME, only measured
  turn 1
    prompt    say fine
    answer    fine
              as expected
    calls     (none)
              as expected
    tool_trajectory_avg_score 1
    response_match_score 1
  turn 2
    prompt    switch off
    expected  Switched it on.
    answer    Switched.
    diff      Switched[- it on-].
    calls     - switch({"device":"lamp","state":"on"})
              + switch({"state":"off","device":"lamp"})
    tool_trajectory_avg_score 0: Call 1, switch, has "off" instead of "on" at args.state.
    response_match_score 0.5: 2 of 3 expected words missing
      missing: it on

right: passed
  tool_trajectory_avg_score 1 reaches the threshold 1
  response_match_score 1 reaches the threshold 0.8
  tool_call_count_v1 0.5, only measured
  inference_call_count_v1: 2 of 2 turns could not be judged: the agent reports no calls to models
  token_usage_v1: 2 of 2 turns could not be judged: the agent reports no tokens
  invocation_duration_v1 TIME, only measured
  turn 1
    prompt    say yes
    answer    yes
              as expected
    calls     (none)
              as expected
    tool_trajectory_avg_score 1
    response_match_score 1
  turn 2
    prompt    switch on
    answer    Switched.
              as expected
    calls     switch({"device":"lamp","state":"on"})
              as expected
    tool_trajectory_avg_score 1
    response_match_score 1

last: passed
  tool_trajectory_avg_score 1 reaches the threshold 1
  response_match_score 1 reaches the threshold 0.8
  tool_call_count_v1 0, only measured
  inference_call_count_v1: it could not be judged: the agent reports no calls to models
  token_usage_v1: it could not be judged: the agent reports no tokens
  invocation_duration_v1 TIME, only measured
  turn 1
    prompt    say a b c
    answer    a b c
              as expected
    calls     (none)
              as expected
    tool_trajectory_avg_score 1
    response_match_score 1

case   tool_trajectory_avg_score  response_match_score  verdict
wrong  0.5 (2/2)                  0.75 (2/2)            failed
right  1 (2/2)                    1 (2/2)               passed
last   1 (1/1)                    1 (1/1)               passed
score (turns scored/turns that apply)

2 passed, 1 failed of 3 cases
pass rate 67% (95% confidence interval 13 to 98%), 3 cases
mean of tool_trajectory_avg_score 0.833 (0.229 to 0.996), 3 cases
mean of response_match_score 0.917 (0.463 to 1), 3 cases
`);
  });

  it('truncates nothing, and aligns the lines of multi-line text', async () => {
    const long = `first\n${'x'.repeat(5000)}`;
    const { out } = await one(evalSet('s', evalCase('a', turn(`say ${long}`, long))), ['--print_detailed_results']);
    expect(out).toContain(`    answer    first\n              ${'x'.repeat(5000)}\n`);
    expect(out).toContain(`    prompt    say first\n              ${'x'.repeat(5000)}\n`);
  });

  it('shows each rubric and each piece of evidence, including those of nested scores', async () => {
    const source = `export const c = { kind: 'criterion', specVersion: 3, name: 'rubrics', origin: { package: 'p', version: '1.0.0' },
      description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn',
      evaluate: () => ({ reason: 'two rubrics', parts: [
        { id: 'r1', kind: 'rubric', text: 'It is kind.', value: 1, reason: 'it says please' },
        { id: 'r2', kind: 'rubric', text: 'It is short.', value: 0, reason: 'it goes on', evidence: [{ kind: 'vote', positive: 1, negative: 2, unreadable: 0, of: 3 }] },
        { id: 'r3', kind: 'rubric', text: 'It rhymes.', value: null, missing: 'could-not-judge', reason: 'no judge' },
      ] }),
      options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } } };
      export const d = { ...c, name: 'whole', scope: 'conversation', evaluate: () => ({ value: 0, reason: 'too long', evidence: [
        { kind: 'note', text: 'a note' }, { kind: 'json', label: 'found', value: { n: 1 } },
        { kind: 'diff', path: '$.door', expected: 'shut', actual: { is: 'open' } } ] }) };`;
    const files = {
      'mine.ts': source,
      'test_config.json': {
        plugins: ['./mine.ts'],
        criteria: { rubrics: { threshold: 0.9, min_coverage: 0.5 }, whole: 1 },
      },
    };
    for (const args of [[], ['--print_detailed_results']]) {
      const { out } = await one(evalSet('s', evalCase('a', turn('say x', 'x'))), args, files);
      expect(out).toContain(`
    rubrics 0.5: two rubrics
      It is kind. 1: it says please
      It is short. 0: it goes on
        1 yes, 2 no, 0 without an opinion of 3
      It rhymes. could not be judged: no judge
  whole 0: too long
    a note
    found: {"n":1}
    $.door
    - shut
    + {"is":"open"}
`);
      expect(out).toMatch(/a +0\.5 \(1\/1, 66\.7 %\) +0 \(1\/1\) +failed/);
      expect(out).toContain('judged by rubrics >= 0.9 with at least 50 % scored, whole >= 1');
    }
  });
});

describe('criteria that do not decide', () => {
  const measure = {
    'test_config.json': {
      criteria: { response_match_score: 0.5 },
      agent_criteria: { measure: ['tool_trajectory_avg_score'] },
    },
  };

  it('are shown as measurements', async () => {
    const { out, code } = await one(
      evalSet('s', evalCase('a', turn('switch on', 'Switched.'))),
      ['--print_detailed_results'],
      measure,
    );
    expect(out).toContain('judged by response_match_score >= 0.5, tool_trajectory_avg_score (only measured)');
    expect(out).toContain('  tool_trajectory_avg_score 0, only measured');
    expect(code).toBe(0);
  });

  it('cause a note that nothing was judged if the config has no other criteria', async () => {
    const config = { criteria: {}, agent_criteria: { measure: ['response_match_score'] } };
    const { out, code } = await one(evalSet('s', evalCase('a', turn('say x', 'y'))), [], {
      'test_config.json': config,
    });
    expect(out).toContain(
      '1 informational of 1 case\nNothing was judged: every criterion of this config only measures.',
    );
    expect(code).toBe(0);
  });

  it('are skipped if they do not apply and the config asks for that, and otherwise count as not evaluated', async () => {
    const set = evalSet('s', evalCase('a', turn('say x', 'x')), evalCase('b', turn('say x')));
    const strict = await one(set, [], byWords);
    expect(strict.err).toContain('response_match_score does not apply to 1 of 2 cases');
    expect(strict.out).toMatch(/b +- \(0\/0\) +not-evaluated/);
    expect(strict.out).toMatch(
      /b: not-evaluated\n {2}response_match_score: .*not applicable: no turn of the case expects an answer\n\ncase /,
    );
    expect(strict.code).toBe(3);
    const config = {
      criteria: { response_match_score: { threshold: 0.8, when_not_applicable: 'skip' }, tool_trajectory_avg_score: 1 },
    };
    const skipping = await one(set, [], { 'test_config.json': config });
    expect(skipping.out).toMatch(/b +skipped +1 \(1\/1\) +passed/);
    expect(skipping.code).toBe(0);
  });
});

describe('the arguments of eval', () => {
  it.each([
    ['--config_file_path', 'DIR/loose.json'],
    ['--config-file-path', 'DIR/loose.json'],
    ['--config-file-path=DIR/loose.json'],
  ])('can be written as %s %s', async (...flag) => {
    const { out, code } = await one(sets, flag, { 'loose.json': { criteria: { response_match_score: 0 } } });
    expect(out).toContain('judged by response_match_score >= 0 (');
    expect(code).toBe(0);
  });

  it('select cases, ignoring spaces, and the same set given twice counts once, however its path is written', async () => {
    const folder = folderOf({ 'agent.ts': agentSource, 'a.test.json': sets });
    const file = join(folder, 'a.test.json');
    const cases = async (...args: string[]) => {
      const { out } = await capture(['eval', folder, ...args]);
      return [...out.matchAll(/^(\w+) +[\d.]+ \(/gm)].map(([, name]) => name);
    };
    expect(await cases(`${file}:last, right`)).toEqual(['right', 'last']);
    expect(await cases(`${file}:last`, `${folder}/./a.test.json:right`)).toEqual(['right', 'last']);
    expect(await cases(`${file}:last`, file)).toEqual(['wrong', 'right', 'last']);
    expect(await cases(file, `${file}:last`)).toEqual(['wrong', 'right', 'last']);
  });

  it('can be a folder: every set in it runs with the config next to it, and failures precede the tables', async () => {
    const set = (id: string, answer: string) => evalSet(id, evalCase(`${id}_case`, turn('say a b', answer)));
    const { out, code } = await evaluate(
      {
        'sets/x/x.evalset.json': set('x', 'a c'),
        'sets/x/test_config.json': { criteria: { response_match_score: 0.9 } },
        'sets/y/y.test.json': set('y', 'a c'),
        'sets/y/test_config.json': { criteria: { response_match_score: 0.5 } },
      },
      ['DIR/sets'],
    );
    expect(out).toMatch(/^x: 1 case.*>= 0.9.*\ny: 1 case.*>= 0.5.*Did not pass.*\nx, x_case: failed\n/s);
    expect(out).not.toContain('y_case: ');
    expect(out).toContain('1 passed, 1 failed of 2 cases');
    expect(code).toBe(1);
  });

  it('can be sets with the same id, each with its own cases', async () => {
    const set = (answer: string) => evalSet('same', evalCase('a', turn('say yes', answer)));
    const { out, code } = await evaluate({ 'x.test.json': set('yes'), 'y.test.json': set('no'), ...byWords }, ['DIR']);
    expect(out).toContain('\nsame (2), a: failed\n');
    expect(out).toContain('1 passed, 1 failed of 2 cases');
    expect(code).toBe(1);
  });

  it('run each case several times with --num-runs, and the output counts the repeats that passed', async () => {
    const flaky = `let n = 0; export const agent = () => (n++ % 2 === 0 ? 'yes' : 'no');`;
    const { out, code } = await one(evalSet('s', evalCase('a', turn('Hi', 'yes'))), ['--num_runs', '4'], {
      'agent.ts': flaky,
      ...byWords,
    });
    expect(out).toContain('s: 1 case, 4 repeats each, from');
    expect(out).toMatch(/a +0\.5 \(4\/4\) +failed, 2 of 4 repeats passed/);
    expect(out).toContain('  repeats 2, 4: failed\n  turn 1');
    expect(out).not.toContain('of 4: passed');
    expect(code).toBe(1);
  });

  it("produce ADK's numbers with --compat adk", async () => {
    const third = evalCase('a', ...['x', 'y', 'z'].map((word) => turn(`say ${word} b c d e f g`, 'a b c d e f g')));
    const { out } = await one(evalSet('s', third), ['--compat', 'adk'], byWords);
    expect(out).toContain(', with the numbers of ADK Python');
  });
});

describe('--json', () => {
  it('prints one JSON value, even if there are warnings', async () => {
    const { out, err, code, folder } = await one(sets, ['--json'], {
      'test_config.json': '{"criteria": {"response_match_score": 0.8}, }',
    });
    const result = JSON.parse(out);
    expect(err).toContain('trailing commas');
    expect(result.summary).toMatchObject({ verdict: 'failed', total: 3, exitCode: 1 });
    expect(result.sets).toMatchObject([
      {
        setId: 'rooms',
        file: join(folder, 'a.test.json'),
        config: join(folder, 'test_config.json'),
        compat: null,
        criteria: [
          {
            name: 'response_match_score',
            threshold: 0.8,
            decides: true,
            minCoverage: 1,
            origin: { package: '@agent-criteria/criteria-rouge' },
          },
          { name: 'tool_call_count_v1', decides: false, byDefault: true },
          { name: 'inference_call_count_v1', decides: false, byDefault: true },
          { name: 'token_usage_v1', decides: false, byDefault: true },
          { name: 'invocation_duration_v1', decides: false, byDefault: true },
        ],
        warnings: [{ code: 'NOT_JSON' }],
        cases: [{ caseId: 'right' }, { caseId: 'wrong' }, { caseId: 'last' }],
        inferences: [{ key: { caseId: 'right' } }, { key: { caseId: 'wrong' } }, { key: { caseId: 'last' } }],
      },
    ]);
    expect(code).toBe(1);
  });

  it('leaves standard output empty if nothing could run', async () => {
    expect(await one(evalSet('s'), ['--json'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('an interrupt', () => {
  const files = {
    'a.test.json': evalSet('first', evalCase('done', turn('say x', 'x')), evalCase('stopped', turn('stop', 'x'))),
    'agent.ts':
      "export const agent = (text: string) => text === 'stop' ? new Promise(() => process.emit('agent-criteria-test' as never)) : 'x';",
  };

  it('causes exit code 130 and a note on how many cases were not finished', async () => {
    const controller = new AbortController();
    const interrupt = () => setTimeout(() => controller.abort(new Error('interrupted')), 300);
    process.once('agent-criteria-test' as never, interrupt);
    const { out, err, code } = await evaluate(files, ['DIR'], { signal: controller.signal });
    expect(out).toContain('1 case was not finished.');
    expect(out).toContain('1 passed, 1 error of 2 cases');
    expect(err).toContain('The run is incomplete, and nothing of it was saved.');
    expect(code).toBe(130);
  });

  it('lets work in flight finish and starts nothing new if it only drains the run', async () => {
    const controller = new AbortController();
    process.once('agent-criteria-test' as never, () => controller.abort(new Error('interrupted')));
    const agent = `export const agent = async (text: string) => {
      process.emit('agent-criteria-test' as never);
      await new Promise((done) => setTimeout(done, 50));
      return 'x';
    };`;
    const cases = ['a', 'b', 'c'].map((id) => evalCase(id, turn('say x', 'x')));
    const { out, code } = await evaluate(
      { 'a.test.json': evalSet('s', ...cases), 'agent.ts': agent },
      ['DIR', '--concurrency_agents', '1'],
      { drain: () => controller.signal },
    );
    expect(out).toContain('1 passed, 2 error of 3 cases');
    expect(code).toBe(130);
  });
});

it('eval imports an agent only after checking everything, and once for all sets', async () => {
  const counting = `${echoAgent}\nglobalThis.agentCriteriaImports = (globalThis.agentCriteriaImports ?? 0) + 1;`;
  const folder = folderOf({
    'agent.mjs': counting,
    'a.test.json': evalSet('a', evalCase('a', turn('x', 'x'))),
    'b.test.json': evalSet('b', evalCase('b', turn('x', 'x'))),
  });
  expect((await capture(['eval', folder, folder])).code).toBe(0);
  expect((globalThis as { agentCriteriaImports?: number }).agentCriteriaImports).toBe(1);
});
