import { evalCase, inference } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { liveCommands } from '../../../test/live-commands.ts';
import { runs } from '../../../test/runs.ts';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { judgedRun } from './__fixtures__/judged.ts';
import { criterion, runOf, textOf } from './__fixtures__/runs.ts';
import {
  everyVerdict,
  inCompat,
  largeRun,
  oddShapes,
  onlyMeasured,
  runOfAll,
  unfinishedRun,
} from './__fixtures__/shapes.ts';
import { consolePlan, consoleReport } from './console.ts';

const command = (setId: string, caseId: string) => `agent-criteria eval agent.ts ${setId}.json:${caseId}`;

/** The colour codes that picocolors emits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape characters are what to look for.
const COLOUR = /\x1b\[\d+m/g;

describe('intermediate texts on the console', () => {
  const run = (said: readonly [author: string, text: string][], words = 0.2) => {
    const plain = evalCase('lamp', [{ user: 'Light!', answer: 'It is on.' }]);
    const due: [string, { text: string }[]][] = [
      ['host', [{ text: 'Let me see.' }]],
      ['desk', [{ text: 'The lamp is off.' }]],
    ];
    const intermediateData = { intermediateResponses: due };
    const turn = { ...plain, conversation: plain.conversation?.map((one) => ({ ...one, intermediateData })) };
    const happened = inference([{ user: 'Light!', answer: 'It is on.' }]);
    const [actual] = happened.invocations;
    const events = said.map(([author, text]) => ({ author, content: { parts: [{ text }] } }));
    const invocations = [{ ...actual!, intermediateData: { invocationEvents: events } }];
    const repeat = { inference: { ...happened, invocations }, scores: { kind: [{ value: words }] } };
    return runOf([{ cases: [{ evalCase: turn, repeats: [repeat] }] }]);
  };

  it('are shown next to the expected ones if they differ', async () => {
    const text = await textOf(
      consoleReport(
        run([
          ['host', 'Let me see.'],
          ['desk', 'The lamp is broken.'],
        ]),
      ),
    );
    expect(text).toContain(`    said        host: Let me see.
              - desk: The lamp is off.
              + desk: The lamp is broken.
`);
    expect(await textOf(consoleReport(run([])))).toContain(`    said      - host: Let me see.
              - desk: The lamp is off.
`);
  });

  it('are shown only in detailed mode if they are as expected', async () => {
    const same = run([
      ['host', 'Let me see.'],
      ['desk', 'The lamp is off.'],
    ]);
    expect(await textOf(consoleReport(same))).not.toContain('said ');
    expect(await textOf(consoleReport(same, { detailed: true }))).toContain(`    said        host: Let me see.
                desk: The lamp is off.
`);
  });
});

it('consoleReport() shows the mean of the turns next to an overall score, in detail and in the table', async () => {
  const turns = [
    { user: 'Light!', answer: 'On.' },
    { user: 'Dark!', answer: 'Off.' },
  ];
  const scores = [1, 0.5].map((value) => ({ value, overall: { value: 0.25 } }));
  const repeat = { inference: inference(turns), scores: { kind: scores } };
  const run = runOf([{ cases: [{ evalCase: evalCase('lamp', turns), repeats: [repeat] }] }]);
  const text = await textOf(consoleReport(run, { detailed: true }));
  expect(text).toContain('kind 0.25, mean of the turns 0.75 is below the threshold');
  expect(text).toContain('0.25 (2/2, mean of the turns 0.75)');
});

describe('on the console, an answer that looks like the expected one', () => {
  it.each(['It is on.\n', '\nIt is on.', 'It is on.  '])('is printed once, with a note: %j', async (wanted) => {
    const turn = evalCase('lamp', [{ user: 'Light!', answer: wanted }]);
    const happened = inference([{ user: 'Light!', answer: 'It is on.' }]);
    const run = runOf([
      { cases: [{ evalCase: turn, repeats: [{ inference: happened, scores: { kind: [{ value: 0 }] } }] }] },
    ]);
    for (const detailed of [false, true]) {
      const text = await textOf(consoleReport(run, { detailed }));
      expect(text.match(/It is on\./g)).toHaveLength(1);
      expect(text).toContain(`    answer    It is on.
              as expected, but for blanks or line breaks at an end
`);
    }
  });
});

describe('the console report', () => {
  it('contains the criteria, a line for each case, the failures with their reasons, and the counts', async () => {
    const text = await textOf(consoleReport(runOf([everyVerdict]), { command }));
    expect(text).toBe(`rooms: 5 cases from rooms.evalset.json
judged by words >= 0.8, kind >= 0.5 with at least 50 % scored, count (only measured) (test_config.json)

Did not pass ([-expected-] {+actual+}, calls: - expected + made):

wrong: failed
  words 0.7999999 is below the threshold 0.8
  kind: it could not be judged: no judge answered
  turn 1
    prompt    switch it on
    answer    The lamp is [-on-]{+off+}.
    calls     - switch({"device":"lamp","state":"on"})
              + switch({"device":"lamp","state":"off"})
    words 0.7999999: 1 of 4 words is missing
      missing: on
    kind 0.5
      It says please. 0: it does not
      It is short. 1
      It rhymes. could not be judged: no judge answered
    count 4
  details: agent-criteria eval agent.ts rooms.json:wrong

unclear: not-evaluated
  kind: it could not be judged: the judge did not answer
  turn 1
    prompt    switch it on
    answer    The lamp is on.
    calls     switch({"device":"lamp","state":"on"})
    words not applicable: no answer is expected
    kind could not be judged
    count 0
  details: agent-criteria eval agent.ts rooms.json:unclear

broken: error
  turn 2: the wire is cut
  turn 2
    prompt    and off
    expected  The lamp is off.
    answer    (this turn did not happen)
      at agent (/home/me/agent.ts:4:30)
  details: agent-criteria eval agent.ts rooms.json:broken

case      words            kind               count    verdict
wrong     0.7999999 (1/1)  0.5 (1/1, 66.7 %)  4 (1/1)  failed
unclear   skipped          - (0/1)            0 (1/1)  not-evaluated
broken    -                -                  -        error
right     1 (1/1)          1 (1/1)            3 (1/1)  passed
skipping  skipped          0.5 (1/1)          1 (1/1)  passed
score (turns scored/turns that apply)

2 passed, 1 failed, 1 not-evaluated, 1 error of 5 cases
pass rate 67% (95% confidence interval 13 to 98%), 3 cases; between 40% and 80%, depending on 2 cases that could not be
  judged
mean of words 0.9 (0.139 to 0.998), 2 cases; between 0.6 and 0.933, depending on 1 case that could not be judged
mean of kind 0.667 (0.182 to 0.953), 3 cases; between 0.367 and 0.833, depending on 3 cases that could not be judged
`);
  });

  it('shows repeats, simulated conversations, and missing records', async () => {
    const text = await textOf(consoleReport(runOf([oddShapes])));
    const blocks = new Map(text.split('\n\n').map((block) => [block.slice(0, block.indexOf(':')), `${block}\n`]));
    expect(blocks.get('repeated')).toBe(`repeated: error
  words 0.5 is below the threshold 0.8
  repeat 2 of 3: failed
  turn 1
    prompt    switch it on
    expected  The lamp is on.
    answer    No.
    calls     - switch({"device":"lamp","state":"on"})
    words 0: nothing
  repeat 3 of 3: error
    the user took too long
  turn 1
    prompt    switch it on
    expected  The lamp is on.
    answer    (this turn did not happen)
`);
    expect(blocks.get('simulated')).toBe(`simulated: failed
  words 0.5 is below the threshold 0.8
  whole 0.2 is below the threshold 0.8
  turn 2
    prompt    Light!
    answer    Done.
    calls     switch({"device":"lamp","state":"on"})
    words 0
  whole 0.2: too slow
  ended: turn limit reached after 2 turns
`);
    expect(blocks.get('lost')).toContain('  what happened is not recorded\n');
    expect(blocks.get('empty')).toContain('  words: the conversation has no turn to score\n');
    expect(text).toContain('\n\n2 cases were not finished.\n\ncase  ');
  });

  it('shows a case in which every criterion was skipped', async () => {
    const skipping = {
      ...everyVerdict,
      config: { criteria: { words: { threshold: 0.8, when_not_applicable: 'skip' } } },
      cases: everyVerdict.cases.filter(({ evalCase }) => evalCase.evalId === 'unclear'),
    };
    const text = await textOf(consoleReport(runOf([skipping])));
    expect(text).toContain('unclear: not-evaluated\n  every criterion was skipped\n');
  });

  it('begins and ends with a note if the run is not finished', async () => {
    const note = 'This run is not finished: 5 of 9 units are run and scored.';
    const text = await textOf(consoleReport(unfinishedRun()));
    expect(text.startsWith(`${note}\n\n`)).toBe(true);
    expect(text.endsWith(`${note}\n`)).toBe(true);
    const stopped = await textOf(consoleReport(runOf([onlyMeasured], { endedAt: null })));
    expect(stopped).toContain('This run is not finished: it was stopped early.');
    expect(await textOf(consoleReport(runOf([])))).toContain('The run has no case: nothing was judged.');
  });

  it('notes that nothing was judged, and names the source of the numbers', async () => {
    const measured = await textOf(consoleReport(runOf([onlyMeasured])));
    expect(measured).toContain('Nothing was judged: every criterion of this config only measures.');
    expect(measured).not.toContain('Did not pass');
    expect(await textOf(consoleReport(runOf([inCompat])))).toContain(
      'judged by kind >= 0.8, with the numbers of ADK Python\n',
    );
  });

  it('names the source of the criteria only if it is known', () => {
    const criteria = (names: readonly [string, number][]) =>
      names.map(([name, threshold]) => ({
        name,
        threshold,
        written: threshold,
        description: '',
        origin: { package: 'p', version: '1.0.0' },
        scope: 'turn' as const,
        range: { min: 0, max: 1, better: 'higher' as const },
        decides: true,
        minCoverage: 1,
        whenNotApplicable: 'not-evaluated' as const,
      }));
    const facts = { cases: 1, repeats: 1, compat: null };
    const set = { id: 's', file: 's.json', configFile: null };
    const defaults = criteria([
      ['tool_trajectory_avg_score', 1],
      ['response_match_score', 0.8],
    ]);
    const said = "(ADK's defaults: there is no test_config.json next to the eval set)";
    expect(consolePlan({ ...set, criteria: defaults }, facts, { width: 200 })).toContain(said);
    expect(consolePlan({ ...set, criteria: criteria([['response_match_score', 0.8]]) }, facts)).toBe(
      's: 1 case from s.json\njudged by response_match_score >= 0.8\n\n',
    );
    expect(consolePlan({ ...set, criteria: [] }, facts)).toContain('judged by nothing yet');
  });

  it("does not present a number of ADK's as decisive if it is not", async () => {
    const run = runOf([inCompat]);
    const shown = async (verdict: 'passed' | 'failed', score: number) => {
      const changed = {
        ...run,
        async *cases() {
          for await (const one of run.cases()) {
            const [criterion] = one.result.criteria;
            yield { ...one, result: { ...one.result, criteria: [{ ...criterion!, verdict, score, coverage: 1 }] } };
          }
        },
      };
      return textOf(consoleReport(changed, { detailed: true }));
    };
    expect(await shown('failed', 0.5)).toContain('\n  kind 0.5 is below the threshold 0.8\n');
    expect(await shown('passed', 0.8)).toContain('\n  kind 0.8 reaches the threshold 0.8\n');
    expect(await shown('failed', 0.9)).toContain('\n  kind 0.9 in ADK, here failed: ');
    expect(await shown('passed', 0.5)).toContain('\n  kind 0.5 in ADK, here passed');
  });

  it('truncates long reasons, except in detailed mode', async () => {
    const reason = 'x'.repeat(100_000);
    const [, wrong] = everyVerdict.cases;
    const scores = { ...wrong!.repeats[0]!.scores, words: [{ value: 0, reason }] };
    const run = runOf([{ ...everyVerdict, cases: [{ ...wrong!, repeats: [{ ...wrong!.repeats[0]!, scores }] }] }]);
    expect((await textOf(consoleReport(run))).length).toBeLessThan(5000);
    expect(await textOf(consoleReport(run, { detailed: true }))).toContain(reason);
    expect(await textOf(consoleReport(run, { detailed: true, width: 120 }))).not.toContain('…');
  });

  it('lists only cases that did not pass if there are very many, and counts the rest', async () => {
    const text = await textOf(consoleReport(largeRun(10_000), { limit: 20 }));
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('case-')).filter((line) => line.endsWith('failed'))).toHaveLength(40);
    expect(text).toContain('\n10000 cases; only the first 20 of 100 that did not pass are listed\n');
    expect(text).toContain('… and 80 more cases that did not pass.\n');
    expect(text).not.toMatch(/^case-\d+ .*passed$/m);
    expect(await textOf(consoleReport(largeRun(201)))).toContain(
      '201 cases; only the 3 that did not pass are listed\n',
    );
    expect(await textOf(consoleReport(largeRun(200)))).toMatch(/^case-199 .*passed$/m);
  });

  it('lists the cases if their table would be wider than the terminal', async () => {
    const text = await textOf(consoleReport(runOf([everyVerdict]), { width: 40 }));
    expect(text).toContain('\nwrong\n  words    0.7999999 (1/1)\n  kind     0.5 (1/1, 66.7 %)\n');
  });

  it('fits terminals of 60 columns and more', async () => {
    const words = fc.array(fc.stringMatching(/^[a-zäöü,(日本語]{1,100}$/), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 60, max: 130 }), fc.boolean(), async (some, width, detailed) => {
        for (const run of [hostileRun(some.join(' ')), runOfAll(), judgedRun()]) {
          const text = await textOf(consoleReport(run, { width, detailed, command }));
          for (const line of text.split('\n')) {
            expect(stringWidth(line), line).toBeLessThanOrEqual(width);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('prints identical repeats once', async () => {
    const answering = (answer: string, value: number) => ({
      inference: inference([{ user: 'Light!', answer }]),
      scores: { words: [{ value }] },
    });
    const repeats = [
      answering('No.', 0),
      answering('No.', 0),
      answering('On.', 1),
      answering('Off.', 0),
      answering('No.', 0),
    ];
    const lamp = { evalCase: evalCase('lamp', [{ user: 'Light!', answer: 'On.' }]), repeats };
    const run = runOf([{ criteria: [criterion('words')], config: { criteria: { words: 0.8 } }, cases: [lamp] }]);
    const text = await textOf(consoleReport(run));
    expect(text).toContain(`lamp: failed
  words 0.2 is below the threshold 0.8
  repeats 1, 2, 5: failed
  turn 1
    prompt    Light!
    expected  On.
    answer    No.
    words 0
  repeat 4 of 5: failed
  turn 1
    prompt    Light!
    expected  On.
    answer    Off.
    words 0
`);
    const detailed = await textOf(consoleReport(run, { detailed: true }));
    expect(detailed.match(/repeats? .*: (failed|passed)$/gm)).toEqual([
      'repeats 1, 2, 5: failed',
      'repeat 3 of 5: passed',
      'repeat 4 of 5: failed',
    ]);
  });

  it.each([undefined, 60])('prints the common reason why every repeat failed only once (width %s)', async (width) => {
    const reason = 'the service that holds the opening hours of the museum did not answer in time';
    const ending = { by: 'error', of: 'agent', error: { code: 'AGENT_FAILED', message: reason } } as const;
    const broken = { inference: inference([], { ending }) };
    const repeats = [broken, broken, broken, broken, broken];
    const lamp = { evalCase: evalCase('lamp', [{ user: 'Light!', answer: 'On.' }]), repeats };
    const run = runOf([{ criteria: [criterion('words')], config: { criteria: { words: 0.8 } }, cases: [lamp] }]);
    for (const detailed of [false, true]) {
      const text = (await textOf(consoleReport(run, { width, detailed }))).replace(/\s+/g, ' ');
      expect(text).toContain('lamp: error');
      expect(text).toContain(' repeats 1 to 5: error ');
      expect(text.split(reason)).toHaveLength(2);
      expect(text.split('turn 1')).toHaveLength(2);
    }
  });

  it('shows the failed repeat of a case that passed', async () => {
    const said = inference([{ user: 'Light!', answer: 'It is on.' }]);
    const repeat = (value: number, reason?: string) => ({ inference: said, scores: { words: [{ value, reason }] } });
    const repeats = [repeat(1), repeat(1), repeat(0.4, 'most words are missing')];
    const lamp = { evalCase: evalCase('lamp', [{ user: 'Light!', answer: 'It is on.' }]), repeats };
    const set = { criteria: [criterion('words')], config: { criteria: { words: 0.8 } }, cases: [lamp] };
    const text = await textOf(consoleReport(runOf([set], { repeats: 3 }), { command }));
    expect(text).toContain(`Passed, but not in every repeat:

lamp: passed, 2 of 3 repeats passed
  repeat 3 of 3: failed
  turn 1
    prompt    Light!
    answer    It is on.
    words 0.4: most words are missing
  details: agent-criteria eval agent.ts rooms.json:lamp
`);
    expect(text).not.toContain('repeat 1 of 3');
  });

  it('omits a command that could not be typed as shown', async () => {
    const text = await textOf(consoleReport(runOf([everyVerdict]), { command: () => 'rm -rf\n/' }));
    expect(text).not.toContain('details:');
  });

  it('prints each warning of a criterion once, naming some of the cases', async () => {
    const warned = (id: string, warning: string) => {
      const [spec] = everyVerdict.cases;
      const [repeat] = spec!.repeats;
      const scores = { ...repeat!.scores, words: [{ value: 1, warnings: [warning] }] };
      return { evalCase: { ...spec!.evalCase, evalId: id }, repeats: [{ ...repeat!, scores }] };
    };
    const many = Array.from({ length: 5 }, (_, index) => warned(`a${index}`, 'it can never fail'));
    const text = await textOf(consoleReport(runOf([{ ...everyVerdict, cases: many }])));
    expect(text).toContain('warning: words: it can never fail (a0, a1, a2 and 2 more)\n');
    const run = runOf([{ ...everyVerdict, cases: many }]);
    const ofVariants = {
      ...run,
      async *cases(setId?: string) {
        for await (const one of run.cases(setId)) {
          yield { ...one, variant: 'fast' };
          yield { ...one, variant: 'slow' };
        }
      },
    };
    expect(await textOf(consoleReport(ofVariants))).toContain('it can never fail (a0, a1, a2 and 2 more)\n');
    const different = Array.from({ length: 60 }, (_, index) => warned(`b${index}`, `odd ${index}`));
    const longer = await textOf(consoleReport(runOf([{ ...everyVerdict, cases: different }])));
    expect(longer.match(/^warning: words: odd/gm)).toHaveLength(50);
    expect(longer).toContain('warning: … and 10 more warnings of criteria\n');
  });

  it('shows arguments of any depth, or notes that it cannot', async () => {
    let args: Record<string, unknown> = {};
    for (let depth = 0; depth < 20_000; depth++) args = { args };
    const deep = {
      ...everyVerdict.cases[1]!.repeats[0]!.inference!.invocations[0]!,
      intermediateData: { toolUses: [{ name: 'deep', args }] },
    };
    const run = runOf([everyVerdict]);
    const deeper = {
      ...run,
      async *cases() {
        for await (const one of run.cases()) {
          yield {
            ...one,
            inferences: one.inferences.map((own) => ({ ...own, inference: { ...own.inference, invocations: [deep] } })),
          };
        }
      },
    };
    expect(await textOf(consoleReport(deeper))).toContain('+ deep(');
  });

  it('contains nothing that a terminal or a CI service would interpret, except our own colours', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, fc.boolean(), fc.boolean(), async (text, detailed, color) => {
        const command = (_: string, id: string) => `show ${id}`;
        const report = await textOf(consoleReport(hostileRun(text), { detailed, color, command }));
        // Our own colour codes are allowed.
        expect(liveCommands(color ? report.replaceAll(COLOUR, '') : report)).toEqual([]);
      }),
    );
  });

  it('never begins a line with text from a name or a reason', async () => {
    const forged = '1\n2 passed of 2 cases';
    for (const detailed of [false, true]) {
      const report = await textOf(consoleReport(hostileRun(forged), { detailed }));
      expect(report).not.toMatch(/^2 passed/m);
    }
  });

  it('uses colours only if requested', async () => {
    const text = await textOf(consoleReport(runOfAll(), { color: true }));
    expect(text).toContain('\u001b[33mnot-evaluated\u001b[39m');
    expect(await textOf(consoleReport(runOfAll()))).not.toContain('\u001b');
  });
});
