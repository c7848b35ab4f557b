import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Invocation } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { openRun } from '@agent-criteria/runner';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../../../test/folder.ts';
import { runs } from '../../../../../test/runs.ts';
import { importRun } from '../../importing/import-conversations.ts';
import { readSpans } from '../../otel/read-spans.ts';
import { readTraces } from '../../otel/read-traces.ts';
import { exportRun } from '../export-run.ts';
import { conversationTraces, type TracedConversation } from './conversation-traces.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../__fixtures__/${name}`, import.meta.url));

/** Imports a file, and exports the run as traces. */
async function exported(file: string) {
  const folder = join(folderOf({}), 'run');
  await importRun({ files: [file], folder, evalSetId: 'log' });
  const written = exportRun(openRun(folder), 'traces');
  let text = '';
  for await (const piece of written.text) text += piece;
  const conversations = [];
  for await (const { evalCase, inferences } of openRun(folder).cases()) {
    for (const { inference } of inferences) conversations.push({ id: evalCase.evalId, inference });
  }
  const again = join(folderOf({}), 'traces.jsonl');
  writeFileSync(again, text);
  return { text, conversations, again, losses: written.losses().map(({ what }) => what) };
}

const spansIn = (line: unknown) =>
  (line as { resourceSpans: [{ scopeSpans: [{ spans: Record<string, unknown>[] }] }] }).resourceSpans[0].scopeSpans[0]
    .spans;

const about = { info: { id: 'r', agent: 'agent.ts', startedAt: 1000, endedAt: 9000 }, error: undefined } as const;
const key = { setId: 's', caseId: 'c', repeat: 0 };
const NOTHING: CaseResult = { setId: 's', caseId: 'c', verdict: 'not-evaluated', criteria: [], units: [] };

function traced(turns: readonly Invocation[], more: Partial<TracedConversation> = {}) {
  const losses: string[] = [];
  const inference = {
    sessionId: 's',
    invocations: turns,
    state: { initial: null, final: null },
    ending: { by: 'end-of-case' },
  } as const;
  const recorded = { key, inference, startedAt: 2000, endedAt: 3000 };
  const given = { ...about, id: 'c', recorded, turns, result: NOTHING, ...more };
  return { lines: conversationTraces(given, (what) => losses.push(what)), losses };
}

/** Returns turns without what a trace adds: their times. */
const untimed = (turns: readonly Invocation[] = []) => turns.map(({ creationTimestamp: _, ...turn }) => turn);

function readAgain(lines: readonly object[]) {
  const losses: string[] = [];
  const spans = lines.map((line, index) => readSpans(line as Record<string, unknown>, `line ${index + 1}`));
  const [conversation, ...others] = readTraces(spans, (what) => losses.push(what));
  expect(others).toEqual([]);
  return { conversation, losses };
}

describe('a run that is exported as traces', () => {
  test.each(['openai-chat.jsonl', 'ai-sdk.json', 'responses.jsonl', 'turns.csv', 'trace-of-adk.json'])(
    'imports to the same conversations as %s',
    async (name) => {
      const first = await exported(fixture(name));
      const second = await exported(first.again);
      const shown = ({ conversations }: typeof first) =>
        conversations.map(({ id, inference }) => [id, untimed(inference.invocations)]);
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
      expect(plain(shown(second))).toEqual(plain(shown(first)));
    },
  );

  test('has a span for the agent, each call to a model and each call to a tool, by the conventions of OpenTelemetry', async () => {
    const { text, losses } = await exported(fixture('trace-of-adk.json'));
    const [line = '', ...others] = text.trim().split('\n');
    expect(others).toEqual([]);
    const spans = spansIn(JSON.parse(line));
    const named = spans.map(({ name, parentSpanId }) => [name, parentSpanId === undefined ? 'root' : 'child']);
    expect(named.slice(0, 3)).toEqual([
      ['invoke_agent repair_desk', 'root'],
      [expect.stringMatching(/^chat/), 'child'],
      [expect.stringMatching(/^execute_tool|^invoke_agent/), 'child'],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
    for (const { traceId, spanId } of spans) {
      expect([traceId, spanId]).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringMatching(/^[0-9a-f]{16}$/),
      ]);
    }
    expect(losses).toEqual([]);
  });
});

describe('conversationTraces', () => {
  const said = (text: string) => ({ parts: [{ text }] });
  const turn: Invocation = {
    userContent: { role: 'user', ...said('Hi') },
    finalResponse: { role: 'model', ...said('Hello') },
  };

  test('writes an event for each criterion beside the span of the last turn, and no score where it is missing', () => {
    const counts = { scored: 1, couldNotJudge: 0, notApplicable: 0 };
    const own = { threshold: 0.5, coverage: 1, counts, turns: [], warnings: [] };
    const criteria: CaseResult['criteria'] = [
      { ...own, name: 'match', verdict: 'failed', score: 0, reason: 'no word is the same' },
      {
        ...own,
        name: 'judge',
        verdict: 'not-evaluated',
        score: null,
        coverage: 0,
        counts: { scored: 0, couldNotJudge: 1, notApplicable: 0 },
        reason: 'the judge did not answer',
      },
    ];
    const result = { ...NOTHING, criteria };
    const { lines } = traced([turn, turn], { result });
    expect(lines).toHaveLength(2);
    const roots = spansIn(lines[0]).filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots).toHaveLength(2);
    const { traceId, spanId } = roots[1] ?? {};
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    expect(lines[1]).toMatchObject({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  eventName: 'gen_ai.evaluation.result',
                  traceId,
                  spanId,
                  timeUnixNano: '9000000000',
                  attributes: expect.arrayContaining([
                    text('gen_ai.evaluation.name', 'match'),
                    text('gen_ai.evaluation.score.label', 'failed'),
                    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0 } },
                    text('gen_ai.evaluation.explanation', 'no word is the same'),
                    text('gen_ai.conversation.id', 'c'),
                  ]),
                },
                {
                  attributes: expect.arrayContaining([
                    text('gen_ai.evaluation.name', 'judge'),
                    text('error.type', 'could-not-judge'),
                    text('gen_ai.evaluation.explanation', 'the judge did not answer'),
                  ]),
                },
              ],
            },
          ],
        },
      ],
    });
    const [, second] = (
      lines[1] as { resourceLogs: [{ scopeLogs: [{ logRecords: { attributes: { key: string }[] }[] }] }] }
    ).resourceLogs[0].scopeLogs[0].logRecords;
    expect(second?.attributes.map((one) => one.key)).not.toContain('gen_ai.evaluation.score.value');
    const { losses } = readAgain(lines);
    expect(losses).toEqual(['results of evaluations, left out', 'results of evaluations, left out']);
  });

  test('writes the results of each repeat beside its own conversation', () => {
    const unit = { sessionId: 's', ending: { by: 'end-of-case' }, verdict: 'passed' } as const;
    const counts = { scored: 2, couldNotJudge: 0, notApplicable: 0 };
    const turns = [0, 1].map((repeat) => ({
      repeat,
      turn: 0,
      value: repeat,
      reached: true,
      score: { value: repeat, reason: `repeat ${repeat}` },
    }));
    const own = { name: 'match', verdict: 'passed', threshold: 0, coverage: 1, counts, turns, warnings: [] } as const;
    const result: CaseResult = {
      ...NOTHING,
      criteria: [{ ...own, score: 0.5 }],
      units: [0, 1].map((repeat) => ({
        ...unit,
        repeat,
        criteria: [{ name: 'match', verdict: 'passed', score: repeat }],
      })),
    };
    const written = [0, 1].map((repeat) => {
      const { recorded } = { recorded: { key: { ...key, repeat }, inference: { invocations: [turn] } } };
      const inference = {
        ...recorded.inference,
        sessionId: 's',
        state: { initial: null, final: null },
        ending: unit.ending,
      };
      return JSON.stringify(traced([turn], { result, recorded: { ...recorded, inference } }).lines[1]);
    });
    expect(written[0]).toContain('{"doubleValue":0}');
    expect(written[0]).toContain('repeat 0');
    expect(written[1]).toContain('{"doubleValue":1}');
    expect(written[1]).toContain('repeat 1');
  });

  test('writes a tool that failed as a span that failed, and a conversation that broke likewise', () => {
    const events = [
      { author: 'desk', content: { role: 'model', parts: [{ functionCall: { id: '1', name: 'book', args: {} } }] } },
      {
        author: 'desk',
        content: {
          role: 'user',
          parts: [{ functionResponse: { id: '1', name: 'book', response: { error: 'full' } } }],
        },
      },
    ];
    const { lines } = traced([{ ...turn, finalResponse: null, intermediateData: { invocationEvents: events } }], {
      error: 'it broke',
    });
    const failed = spansIn(lines[0]).filter(({ status }) => (status as { code?: number }).code === 2);
    expect(failed.map(({ name, status }) => [name, status])).toEqual([
      ['invoke_agent desk', { code: 2, message: 'it broke' }],
      ['execute_tool book', { code: 2, message: 'full' }],
    ]);
    expect(readAgain(lines).conversation?.error).toEqual({ code: 'AGENT_FAILED', message: 'it broke' });
  });

  test('lists what OpenTelemetry has no place for', () => {
    const odd: Invocation = {
      userContent: {
        role: 'user',
        parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'a.png' } }],
      },
      finalResponse: { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] },
      intermediateData: {
        invocationEvents: [{ author: 'a', content: null, groundingMetadata: { webSearchQueries: ['x'] } }],
      },
    };
    expect(traced([odd]).losses).toEqual([
      'names of files, left out',
      'answers of several parts, written as one text',
      'grounding of answers, left out',
    ]);
    expect(traced([]).losses).toEqual(['conversations without a turn, left out']);
  });

  test('writes any texts, calls, results and token counts so that they are read again the same', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.double({ noNaN: true }), { maxLength: 2 }),
    );
    const object = fc.dictionary(fc.string(), value, { maxKeys: 3 });
    const author = fc.constantFrom('desk', 'clerk');
    const name = fc.constantFrom('find', 'book');
    const usage = fc.record({ promptTokenCount: fc.nat(), candidatesTokenCount: fc.nat(), totalTokenCount: fc.nat() });
    const step = fc.record({
      author,
      name,
      text: fc.option(word),
      args: object,
      response: object,
      usage: fc.option(usage),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), word, word, (steps, question, answer) => {
        const events = steps.flatMap(({ author: by, name: tool, text, args, response, usage: counts }, index) => {
          const total = counts && counts.promptTokenCount + counts.candidatesTokenCount;
          const own = counts && { usageMetadata: { ...counts, totalTokenCount: total }, modelVersion: 'm' };
          const call = { functionCall: { id: `${index}`, name: tool, args } };
          const parts = [...(text === null ? [] : [{ text }]), call];
          return [
            { author: by, content: { role: 'model', parts }, ...own },
            {
              author: by,
              content: { role: 'user', parts: [{ functionResponse: { id: `${index}`, name: tool, response } }] },
            },
          ];
        });
        const asked: Invocation = {
          userContent: { role: 'user', parts: [{ text: question }] },
          finalResponse: { role: 'model', parts: [{ text: answer }] },
          intermediateData: { invocationEvents: events },
        };
        const { lines, losses } = traced([asked]);
        const { conversation } = readAgain(JSON.parse(JSON.stringify(lines)));
        expect(losses).toEqual([]);
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
        expect(plain(untimed(conversation?.turns))).toEqual(plain([asked]));
      }),
      { numRuns: runs(200) },
    );
  });
});
