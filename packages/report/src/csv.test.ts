import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { judgedRun } from './__fixtures__/judged.ts';
import { runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict, inCompat, oddShapes, runOfAll, unfinishedRun } from './__fixtures__/shapes.ts';
import { csvReport } from './csv.ts';
import { safeLines } from './terminal.ts';

type Row = Record<string, string>;

async function rowsOf(run: Parameters<typeof csvReport>[0]): Promise<Row[]> {
  return parse(await textOf(csvReport(run)), { columns: true, record_delimiter: '\r\n' });
}

/** Returns a string as it is read back from a file, which cannot contain lone surrogates. */
const onDisk = (text: string) => Buffer.from(text).toString();

/** Removes the apostrophe that guards against formulas. */
const unguarded = (cell: string | undefined) => cell?.replace(/^'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, '');

describe('the CSV report', () => {
  it("begins with ADK's columns, followed by ours", async () => {
    const [header] = (await textOf(csvReport(runOfAll()))).split('\r\n');
    expect(header).toBe(
      'eval_set_id,eval_id,metric_name,threshold,score,eval_status,prompt,expected_response,actual_response,' +
        'expected_tool_calls,actual_tool_calls,verdict,metric_verdict,metric_score,coverage,missing,reason,repeat,turn,ending,ending_reason,' +
        ['agent', 'judge', 'simulator']
          .flatMap((role) =>
            ['calls', 'live_calls', 'input_tokens', 'output_tokens', 'cost', 'calls_without_price'].map(
              (name) => `${role}_${name},`,
            ),
          )
          .join('') +
        'run_finished',
    );
  });

  it('has a row for each criterion of each turn of each repeat', async () => {
    const rows = await rowsOf(runOf([everyVerdict]));
    expect(rows.filter((row) => row.eval_id === 'wrong')).toEqual([
      expect.objectContaining({
        eval_set_id: 'rooms',
        metric_name: 'words',
        threshold: '0.8',
        score: '0.7999999',
        eval_status: 'FAILED',
        prompt: 'switch it on',
        expected_response: 'The lamp is on.',
        actual_response: 'The lamp is off.',
        expected_tool_calls: '{"name":"switch","args":{"device":"lamp","state":"on"}}',
        actual_tool_calls: '{"name":"switch","args":{"device":"lamp","state":"off"}}',
        verdict: 'failed',
        metric_verdict: 'failed',
        metric_score: '0.7999999',
        coverage: '1',
        missing: '',
        reason: '1 of 4 words is missing',
        repeat: '1',
        turn: '1',
        run_finished: 'true',
      }),
      expect.objectContaining({
        metric_name: 'kind',
        score: '0.5',
        metric_verdict: 'not-evaluated',
        coverage: String(2 / 3),
      }),
      expect.objectContaining({ metric_name: 'count', threshold: '', score: '4', eval_status: 'INFORMATIONAL' }),
    ]);
  });

  it('leaves a missing number empty, and gives the reason', async () => {
    const rows = await rowsOf(runOf([everyVerdict, inCompat]));
    const missing = rows
      .filter((row) => row.score === '')
      .map((row) => [row.eval_id, row.eval_status, row.missing, row.reason]);
    expect(missing).toEqual([
      ['unclear', 'NOT_EVALUATED', 'not-applicable', 'no answer is expected'],
      ['unclear', 'NOT_EVALUATED', 'could-not-judge', 'the judge did not answer'],
      ['broken', 'FAILED', 'not-scored', 'turn 2: the wire is cut'],
      ['broken', 'FAILED', 'not-scored', 'turn 2: the wire is cut'],
      ['skipping', 'NOT_EVALUATED', 'not-applicable', 'no answer is expected'],
      ['lenient', 'NOT_EVALUATED', 'could-not-judge', 'no answer'],
    ]);
  });

  it("shows a case's usage only in its first row, so that a column adds up to the run's total", async () => {
    const rows = await rowsOf(judgedRun());
    const used = rows.filter((row) => row.judge_calls !== '');
    expect(used.map((row) => [row.eval_id, row.metric_name])).toEqual([
      ['leaving', 'answer_valid'],
      ['breakfast', 'answer_valid'],
      ['taxi', 'answer_valid'],
    ]);
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    const columns = ['calls', 'live_calls', 'input_tokens', 'output_tokens', 'cost', 'calls_without_price'];
    expect(columns.map((name) => sum(`judge_${name}`))).toEqual([10, 5, 4000, 200, 0.001, 3]);
    expect(columns.map((name) => sum(`agent_${name}`))).toEqual([2, 2, 800, 80, 0, 2]);
    // Unknown costs are empty, not 0.
    expect(used.map((row) => row.agent_cost)).toEqual(['', '', '']);
    expect(used[1]).toMatchObject({ simulator_calls: '1', simulator_input_tokens: '', simulator_cost: '' });
    expect(used[2]).toMatchObject({ agent_calls: '', simulator_calls: '' });
  });

  it('includes every case, whatever its shape', async () => {
    const rows = await rowsOf(runOf([oddShapes]));
    expect([...new Set(rows.map((row) => row.eval_id))]).toEqual(
      oddShapes.cases.map(({ evalCase }) => evalCase.evalId),
    );
    const places = (id: string) =>
      rows.filter((row) => row.eval_id === id).map((row) => [row.metric_name, row.repeat, row.turn]);
    expect(places('repeated')).toEqual([
      ['words', '1', '1'],
      ['whole', '1', ''],
      ['words', '2', '1'],
      ['whole', '2', ''],
      ['', '3', '1'],
    ]);
    expect(places('simulated')).toEqual([
      ['words', '1', '1'],
      ['words', '1', '2'],
      ['whole', '1', ''],
    ]);
    expect(rows.find((row) => row.eval_id === 'silent' && row.metric_name === 'whole')?.missing).toBe('not-applicable');
  });

  it('states in every row whether the run is finished, even if there are no cases', async () => {
    const rows = await rowsOf(unfinishedRun());
    expect(new Set(rows.map((row) => row.run_finished))).toEqual(new Set(['false']));
    const empty = await rowsOf(runOf([], { endedAt: null, units: { total: 2, finished: 0 } }));
    expect(empty).toEqual([
      expect.objectContaining({
        reason: 'This run is not finished: 0 of 2 units are run and scored. The run has no case: nothing was judged.',
        run_finished: 'false',
      }),
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'])(
    'guards cells against formulas: %j',
    async (text) => {
      const rows = await rowsOf(hostileRun(text));
      expect(rows[0]?.eval_set_id).toBe(`'${text}`);
      expect(rows[0]?.prompt).toBe(`'${text}`);
    },
  );

  it('leaves negative numbers unchanged', async () => {
    const run = runOf([everyVerdict]);
    const negative = {
      ...run,
      async *cases() {
        for await (const one of run.cases()) {
          const criteria = one.result.criteria.map((result) => ({ ...result, threshold: -0.5 }));
          yield { ...one, result: { ...one.result, criteria } };
        }
      },
    };
    expect((await rowsOf(negative))[0]?.threshold).toBe('-0.5');
  });

  it('writes strings unchanged to a file, but escapes commands when printing', async () => {
    const commands = [
      '::add-mask::x',
      '\u001b[2J',
      '\0',
      '\u202e',
      'x\n::stop-commands::t',
      '##vso[x]',
      'std::vector',
      '### a',
    ];
    const text = fc.oneof(
      hostileText,
      fc.array(fc.oneof(hostileText, fc.constantFrom(...commands))).map((all) => all.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const printed: Row[] = parse(await textOf(csvReport(hostileRun(value), { printed: true })), {
          columns: true,
          record_delimiter: '\r\n',
        });
        const file = await rowsOf(hostileRun(value));
        for (const column of ['eval_set_id', 'prompt', 'actual_response']) {
          expect(unguarded(file[0]?.[column])).toBe(onDisk(value));
          expect(unguarded(printed[0]?.[column])).toBe(onDisk(safeLines(value)));
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('accepts any string, and never begins a cell with a formula', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const [first] = await rowsOf(hostileRun(text));
        for (const column of ['eval_set_id', 'prompt', 'actual_response'])
          expect(unguarded(first?.[column])).toBe(onDisk(text));
        expect(unguarded(first?.eval_id)).toBe(onDisk(`${text}0`));
        const call = {
          name: text,
          args: JSON.parse(
            JSON.stringify(
              Object.fromEntries([
                [text, text],
                ['list', [text]],
              ]),
            ),
          ),
        };
        expect(JSON.parse(first?.expected_tool_calls ?? '')).toEqual(call);
        for (const cell of Object.values(first ?? {}))
          expect(cell).not.toMatch(/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/);
      }),
    );
  });
});
