import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Json, type LanguageModel, modelFromFunction } from '@agent-criteria/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { answer, ask, caller, httpError, modelOf, signal } from './__fixtures__/calls.ts';
import { withRecording } from './__fixtures__/wrappers.ts';
import type { RecordingMode } from './call-policy-options.ts';
import { openRecording, type Recording, type RecordingOptions } from './recording.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
  file = join(folder, 'judge.jsonl');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a model that echoes the question. */
const echo = (said = 'says') => modelOf(async ({ messages }) => answer(`${said} ${messages[0]?.parts?.[0]?.text}`));
const never: LanguageModel = modelOf(async () => {
  throw new Error('a live call');
});

interface Call {
  readonly text: string;
  readonly by?: Parameters<typeof caller>[0];
  readonly sample?: number;
}

/** Makes these calls with a recording, then closes it. */
async function run(mode: RecordingMode, calls: readonly Call[], model = echo(), more: Partial<RecordingOptions> = {}) {
  const recording = await openRecording({ file, mode, ...more });
  const answers = [];
  for (const { text, by, sample } of calls) {
    answers.push(await withRecording(model, recording, caller(by)).generate(ask(text, sample), signal()));
  }
  return { answers, problems: await recording.close() };
}

const lines = () =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('recorded answers', () => {
  it('are added if missing, and replayed without making a call', async () => {
    const calls = [{ text: 'a' }, { text: 'b', sample: 1 }, { text: 'b', by: { repeat: 1 } }];
    const first = await run('auto', calls, echo(), { label: 'a scripted judge' });
    expect(first.answers.map(({ from }) => from)).toEqual(['live', 'live', 'live']);
    const replayed = await run('replay', calls, never);
    expect(replayed.answers).toEqual(first.answers.map((one) => ({ ...one, from: 'recording' })));
    expect(replayed.problems).toEqual([]);
    expect(lines()[0]).toEqual({ type: 'agent-criteria-recording', format: 1, label: 'a scripted judge' });

    const more = await run('auto', [...calls, { text: 'c' }]);
    expect(more.answers.map(({ from }) => from)).toEqual(['recording', 'recording', 'recording', 'live']);
    expect(lines()[0].label).toBe('a scripted judge');
    expect(lines()).toHaveLength(5);
  });

  it('name the call and its caller in each line', async () => {
    await run('auto', [{ text: 'a', sample: 2, by: { turn: null, caseId: 'when' } }]);
    expect(lines()[1]).toEqual({
      setId: 'parcels',
      caseId: 'when',
      repeat: 0,
      by: 'judged',
      turn: null,
      sample: 2,
      to: 'test-model',
      kind: 'model',
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      answer: { text: 'says a', finish: 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
    });
  });

  it.each(['length', 'blocked'] as const)('include answers with the finish reason "%s"', async (finish) => {
    await run(
      'auto',
      [{ text: 'a' }],
      modelOf(async () => answer('', { finish })),
    );
    expect((await run('replay', [{ text: 'a' }], never)).answers[0]).toMatchObject({ finish, from: 'recording' });
  });

  it('include a blocked answer without text from a function', async () => {
    const blocked = modelFromFunction('test-model', () => ({ finish: 'blocked' }) as never);
    expect((await run('auto', [{ text: 'a' }], blocked)).answers[0]).toMatchObject({ text: '', finish: 'blocked' });
    const replayed = await run('replay', [{ text: 'a' }], never);
    expect(replayed.answers[0]).toMatchObject({ text: '', finish: 'blocked', from: 'recording' });
  });

  it.each<[string, (value: Json) => Json]>([
    ['with', (value) => value],
    ['without', undefined as never],
  ])('do not include values that are not answers of a model, %s a redact function', async (_name, redact) => {
    const odd = modelOf(async () => ({ text: 'yes', finish: 'stop' }) as never);
    await expect(run('auto', [{ text: 'a' }], odd, { redact })).rejects.toMatchObject({
      code: 'CALL_FAILED',
      message: 'test-model: its answer cannot be recorded: it has no text, no valid finish or no usage',
    });
    expect(lines()).toHaveLength(1);
  });

  it('do not include failures', async () => {
    const failing = modelOf(async () => {
      throw httpError(401);
    });
    const recording = await openRecording({ file, mode: 'auto' });
    await expect(withRecording(failing, recording, caller()).generate(ask('a'), signal())).rejects.toMatchObject({
      status: 401,
    });
    await recording.close();
    expect(lines()).toHaveLength(1);
  });

  it('are all requested again and replaced in record mode', async () => {
    await run('auto', [{ text: 'a' }, { text: 'old', by: { turn: 1 } }, { text: 'other', by: { caseId: 'when' } }]);
    const again = await run('record', [{ text: 'a' }, { text: 'a' }, { text: 'new', by: { turn: 1 } }], echo('said'));
    expect(again.answers.map(({ text, from }) => [text, from])).toEqual([
      ['said a', 'live'],
      ['said a', 'recording'],
      ['said new', 'live'],
    ]);
    expect(
      lines()
        .slice(1)
        .map((line) => line.answer.text),
    ).toEqual(['says other', 'said a', 'said new']);
    expect(again.problems).toEqual([
      {
        code: 'RECORDING_STALE',
        file,
        message: expect.stringMatching(
          /^1 recorded answer was not used in this run, the first for judged: case "when"/,
        ),
      },
    ]);
  });

  it('are replaced in auto mode if the request changed, and kept otherwise', async () => {
    await run('auto', [{ text: 'a' }, { text: 'old prompt', by: { turn: 1 } }, { text: 'b', by: { caseId: 'when' } }]);
    await run('auto', [{ text: 'new prompt', by: { turn: 1 } }]);
    expect(
      lines()
        .slice(1)
        .map((line) => line.answer.text),
    ).toEqual(['says b', 'says a', 'says new prompt']);
  });

  it('are requested once for identical concurrent calls', async () => {
    const generate = vi.fn(echo().generate);
    const recording = await openRecording({ file, mode: 'record' });
    const model = withRecording(modelOf(generate), recording, caller());
    const answers = await Promise.all([1, 2, 3].map(() => model.generate(ask('a'), signal())));
    expect(generate).toHaveBeenCalledTimes(1);
    expect(answers.map(({ from }) => from)).toEqual(['live', 'recording', 'recording']);
    await recording.close();
  });

  it('are written in the same order, whatever order answers arrive in', async () => {
    const call = fc.record({
      text: fc.constantFrom('a', 'b', 'c', 'd'),
      sample: fc.integer({ min: 0, max: 2 }),
      by: fc.record({
        caseId: fc.constantFrom('where', 'when', '✓'),
        turn: fc.constantFrom(null, 0, 1, 10),
        repeat: fc.integer({ min: 0, max: 1 }),
        name: fc.constantFrom('one', 'two'),
      }),
    });
    const orders = fc
      .array(call, { maxLength: 12 })
      .chain((calls) => fc.tuple(fc.constant(calls), fc.shuffledSubarray(calls, { minLength: calls.length })));
    await fc.assert(
      fc.asyncProperty(orders, async ([calls, shuffled]) => {
        const texts: string[] = [];
        for (const order of [calls, shuffled]) {
          rmSync(file, { force: true });
          await run('auto', order);
          texts.push(readFileSync(file, 'utf8'));
        }
        expect(texts[1]).toBe(texts[0]);
        // The recording is complete.
        await run('replay', shuffled, never);
      }),
      { numRuns: runs(30) },
    );
  });
});

describe('a recording without an answer', () => {
  const asked = (mode: RecordingMode, call: Call, model = never) => run(mode, [call], model);

  it('leads to an error that names the missing call and the remedy', async () => {
    await run('auto', [{ text: 'a' }]);
    await expect(
      asked('replay', { text: 'a', sample: 2, by: { caseId: 'when', turn: 1, repeat: 1 } }),
    ).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
      message: `${file}: no answer is recorded for judged: case "when" of "parcels", turn 2, repeat 2, sample 3, asked of test-model; run once with --recording FILE:auto, which records what is missing, and commit the file`,
    });
  });

  it('leads to an error that mentions a changed request or model', async () => {
    await run('auto', [{ text: 'a' }]);
    await expect(asked('replay', { text: 'b' })).rejects.toThrow(/it has an answer to a different request here/);
    await expect(asked('replay', { text: 'a' }, modelOf(never.generate, 'other'))).rejects.toThrow(
      /it has one of test-model/,
    );
  });

  it('is rejected before the run if the file does not exist', async () => {
    await expect(openRecording({ file, mode: 'replay' })).rejects.toMatchObject({ code: 'RECORDING_MISSING' });
    writeFileSync(file, '');
    await expect(openRecording({ file, mode: 'replay' })).rejects.toMatchObject({ code: 'RECORDING_MISSING' });
  });

  it('is not changed by a replay', async () => {
    await run('auto', [{ text: 'b' }, { text: 'a' }]);
    const before = readFileSync(file, 'utf8');
    await expect(run('replay', [{ text: 'a' }, { text: 'c' }], never)).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(['judge.jsonl']);
  });
});

describe('a recording file', () => {
  const head = '{"type":"agent-criteria-recording","format":1}';
  const good = () => readFileSync(file, 'utf8').split('\n')[1] ?? '';

  it.each<[string, (line: string) => string, string, RegExp]>([
    ['other text', () => 'hello\n', 'line 1', /not a recording/],
    ['other JSON lines', () => '{"a":1}\n{"b":2}\n', 'line 1', /not a recording/],
    ['one line without a break', () => 'hello', 'line 1', /not a recording/],
    ['a newer version', () => '{"type":"agent-criteria-recording","format":2}\n', 'line 1', /format 2.*update/],
    ['a merge', (line) => `${head}\n<<<<<<< HEAD\n${line}\n`, 'line 2', /is not JSON/],
    [
      'half a line in the middle',
      (line) => `${head}\n${line}\n${line.slice(0, 50)}\n${line}\n`,
      'line 3',
      /is not JSON/,
    ],
    ['a line that is no answer', (line) => `${head}\n${line}\n{"key":"abc"}\n`, 'line 3', /not a recorded answer/],
    [
      'an answer without text',
      (line) => `${head}\n${line.replace('"text"', '"test"')}\n`,
      'line 2',
      /not a recorded answer/,
    ],
  ])('is rejected before the run, and unchanged: %s', async (_name, content, path, message) => {
    await run('auto', [{ text: 'a' }]);
    const text = content(good());
    writeFileSync(file, text);
    for (const mode of ['auto', 'record', 'replay'] as const) {
      const failure = await openRecording({ file, mode }).catch((error) => error);
      expect(failure).toMatchObject({ code: 'RECORDING_UNREADABLE', problems: [{ file, path }] });
      expect(failure.message).toMatch(message);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('is rejected if it is a folder', async () => {
    await expect(openRecording({ file: folder, mode: 'replay' })).rejects.toMatchObject({
      code: 'RECORDING_UNREADABLE',
    });
  });

  it('may start with a byte order mark, and can still be extended', async () => {
    await run('auto', [{ text: 'a' }], echo(), { label: 'a scripted judge' });
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}`);
    expect((await run('replay', [{ text: 'a' }], never)).answers).toMatchObject([{ from: 'recording' }]);
    const { answers } = await run('auto', [{ text: 'a' }, { text: 'b' }]);
    expect(answers.map(({ from }) => from)).toEqual(['recording', 'live']);
    // An incomplete line is truncated at the right position.
    appendFileSync(file, '{"key');
    expect((await run('auto', [{ text: 'a' }, { text: 'b' }, { text: 'c' }])).answers.map(({ from }) => from)).toEqual([
      'recording',
      'recording',
      'live',
    ]);
    expect((await run('replay', [{ text: 'b' }, { text: 'c' }], never)).answers).toMatchObject([
      {},
      { from: 'recording' },
    ]);
  });

  it('may have Windows line breaks, empty lines, and no final line break', async () => {
    await run('auto', [{ text: 'a' }, { text: 'b' }]);
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd().replaceAll('\n', '\r\n\r\n'));
    expect((await run('replay', [{ text: 'a' }, { text: 'b' }], never)).problems).toEqual([]);
    await run('auto', [{ text: 'c', by: { turn: 1 } }]);
    expect((await run('replay', [{ text: 'b' }, { text: 'c', by: { turn: 1 } }], never)).answers).toHaveLength(2);
  });

  it('is rejected before the run if it cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(openRecording({ file: join(folder, 'file', 'a.jsonl'), mode: 'auto' })).rejects.toMatchObject({
      code: expect.stringMatching(/WRITE_FAILED|RECORDING_UNREADABLE/),
    });
  });
});

describe('the recording of an interrupted run', () => {
  const script = fileURLToPath(new URL('./__fixtures__/killed-recording.ts', import.meta.url));

  it('has all answers up to the interruption', () => {
    const args = ['--conditions=@agent-criteria/source', '--no-warnings', script, file];
    const { signal: killedBy } = spawnSync(process.execPath, args);
    expect(killedBy).toBe('SIGKILL');
    expect(lines()).toHaveLength(6);
  });

  it('can be read wherever its last line is cut', async () => {
    const calls = ['a', 'b', 'ü'].map((text, turn) => ({ text, by: { turn } }));
    await run('auto', calls);
    const whole = readFileSync(file);
    const start = whole.subarray(0, -1).lastIndexOf('\n') + 1;
    const sizes = Array.from({ length: whole.length - start }, (_, index) => start + index);
    // Covers every position near both ends, and some in between.
    for (const size of sizes.filter((at, index) => index < 5 || at > whole.length - 30 || index % 20 === 0)) {
      writeFileSync(file, whole);
      truncateSync(file, size);
      const { answers, problems } = await run('auto', calls);
      const last = size === whole.length - 1 ? 'recording' : 'live';
      expect(answers.map(({ from }) => from)).toEqual(['recording', 'recording', last]);
      expect(problems.map(({ message }) => message)).toEqual(
        last === 'live' && size > start ? [expect.stringMatching(/last line is incomplete and was cut off/)] : [],
      );
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
  });

  it.each([
    ['a long piece of a line', (text: string) => `${text}{"answer":"${'long '.repeat(1000)}`],
    ['no last line break', (text: string) => text.trimEnd()],
  ])('can be extended after %s', async (_name, damage) => {
    await run('auto', [{ text: 'a' }]);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const open = await openRecording({ file, mode: 'auto' });
    await withRecording(echo(), open, caller({ turn: 1 })).generate(ask('b'), signal());
    expect(lines()).toHaveLength(3);
    expect(readFileSync(file, 'utf8')).toMatch(/\}\n$/);
    await open.close();
  });

  it('replays complete lines, and warns about the incomplete one', async () => {
    await run('auto', [{ text: 'a' }]);
    appendFileSync(file, '{"setId":"par');
    const before = readFileSync(file, 'utf8');
    const { answers, problems } = await run('replay', [{ text: 'a' }], never);
    expect(answers[0]?.from).toBe('recording');
    expect(problems[0]?.message).toMatch(/was skipped/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('secrets in recordings', () => {
  it('are masked, and the run uses the masked answers', async () => {
    vi.stubEnv('MY_SERVICE_TOKEN', 'quite-a-secret-value');
    try {
      const leaky = modelOf(async () =>
        answer('the token is quite-a-secret-value', {
          usage: {
            header: `Bearer ${'a1'.repeat(10)}`,
            'quite-a-secret-value': 1,
            nested: [`AIza${'Sy0'.repeat(12)}`],
          },
        }),
      );
      const { answers } = await run('auto', [{ text: 'a' }], leaky);
      expect(readFileSync(file, 'utf8')).not.toMatch(/quite-a-secret|a1a1|Sy0/);
      expect(answers[0]?.text).toBe('the token is [masked: MY_SERVICE_TOKEN]');
      const replayed = await run('replay', [{ text: 'a' }], never);
      expect(replayed.answers[0]).toEqual({ ...answers[0], from: 'recording' });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('are written unmasked if masking is off', async () => {
    const { answers } = await run(
      'auto',
      [{ text: 'a' }],
      modelOf(async () => answer('Bearer abc123456')),
      {
        maskSecrets: false,
      },
    );
    expect(answers[0]?.text).toBe('Bearer abc123456');
    expect(readFileSync(file, 'utf8')).toContain('abc123456');
  });

  it('are removed by the redact function', async () => {
    const redact = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll('Ada', 'somebody'));
    const { answers } = await run('auto', [{ text: 'Ada' }], echo(), { redact });
    expect(answers[0]?.text).toBe('says somebody');
    expect(readFileSync(file, 'utf8')).not.toContain('Ada');
  });

  it('cause an error if redact returns no answer', async () => {
    await expect(run('auto', [{ text: 'a' }], echo(), { redact: () => null })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });
});

describe('closing a recording', () => {
  it('may be called twice', async () => {
    const recording = await openRecording({ file, mode: 'auto' });
    await withRecording(echo(), recording, caller()).generate(ask('a'), signal());
    expect(await recording.close()).toEqual(await recording.close());
    expect(existsSync(file)).toBe(true);
    const late = withRecording(echo(), recording, caller()).generate(ask('late'), signal());
    await expect(late).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o400).toBe(0o400);
  });

  it('preserves answers that another run recorded in the meantime', async () => {
    await run('auto', [{ text: 'old' }]);
    const [one, two] = [await openRecording({ file, mode: 'auto' }), await openRecording({ file, mode: 'auto' })];
    const say = (recording: Recording, text: string, turn: number) =>
      withRecording(echo(), recording, caller({ turn })).generate(ask(text), signal());
    for (const turn of [1, 3]) {
      await say(one, `one ${turn}`, turn);
      await say(two, `two ${turn}`, turn + 1);
    }
    expect(lines()).toHaveLength(6);
    await one.close();
    await say(two, 'two again', 5);
    await two.close();
    expect(
      lines()
        .slice(1)
        .map(({ turn, answer }) => [turn, answer.text]),
    ).toEqual([
      [0, 'says old'],
      [1, 'says one 1'],
      [2, 'says two 1'],
      [3, 'says one 3'],
      [4, 'says two 3'],
      [5, 'says two again'],
    ]);
  });

  it('reports answers that a replay did not use', async () => {
    await run('auto', [{ text: 'a' }, { text: 'b', by: { turn: 1 } }, { text: 'c', by: { turn: 2 } }]);
    const { problems } = await run('replay', [{ text: 'a' }], never);
    expect(problems[0]?.message).toMatch(
      /^2 recorded answers were not used in this run, the first for judged: case "where" of "parcels", turn 2, sample 1/,
    );
  });
});
