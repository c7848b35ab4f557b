import { CriteriaError, type Json, type Problem } from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { secretMask } from '@agent-criteria/masking';
import { type Answers, redacted } from './answers.ts';
import type { CallIdentity } from './call-key.ts';
import type { CallPolicyOptions, RecordingMode } from './call-policy-options.ts';
import { inOrder, openRecordingWriter, type RecordedAnswer, readRecording, writeRecording } from './recording-file.ts';

export interface RecordingOptions extends Pick<CallPolicyOptions, 'redact' | 'maskSecrets'> {
  /** A JSON Lines file, to be committed. Concurrent runs preserve each other's answers. */
  readonly file: string;
  readonly mode: RecordingMode;
  /** The file's label, such as "a scripted judge". Default: its current label. */
  readonly label?: string | undefined;
}

/** A call and its caller. */
export interface RecordedCall extends CallIdentity {
  readonly caller: Caller;
}

export type Recording = Awaited<ReturnType<typeof openRecording>>;

/**
 * Opens a recording.
 * @throws CriteriaError RECORDING_MISSING if a file to replay does not exist, RECORDING_UNREADABLE with file and line
 *   if it is damaged or not a recording, WRITE_FAILED if it cannot be written.
 */
export async function openRecording(options: RecordingOptions) {
  const { file, mode, label, redact, maskSecrets = true } = options;
  const mask = maskSecrets ? secretMask({ environment: process.env }) : null;
  const content = await readRecording(file);
  if (content === null && mode === 'replay') {
    const message = `there is no recording to replay; ${recordAgain}`;
    throw new CriteriaError({ code: 'RECORDING_MISSING', file, message });
  }
  const name = label ?? content?.label ?? null;
  const old = new Map(content?.answers.map((one) => [one.key, one]));
  const fresh = new Map<string, RecordedAnswer>();
  const used = new Set<string>();
  const writer = mode === 'replay' ? null : await openRecordingWriter(file, content, name);
  let closed: Promise<readonly Problem[]> | null = null;

  async function finish(): Promise<readonly Problem[]> {
    writer?.close();
    // Another run may have added to the same file in the meantime.
    const now = writer === null ? null : await readRecording(file);
    const others = now?.answers.filter(({ key }) => !old.has(key) && !fresh.has(key)) ?? [];
    const places = new Set([...fresh.values()].map(placeOf));
    // An unused answer is dropped if its call was replaced by another one for the same case, caller, turn and sample.
    const kept = [...old.values()].filter((one) => used.has(one.key) || !places.has(placeOf(one)));
    const answers = kept.filter(({ key }) => !fresh.has(key)).concat([...fresh.values()]);
    if (writer !== null) writeRecording(file, name, [...answers, ...others]);
    const stale = kept.filter(({ key }) => !used.has(key) && !fresh.has(key)).sort(inOrder);
    return [
      ...(content?.torn ? [tornLine(file, mode)] : []),
      ...(stale[0] ? [staleAnswers(file, stale, stale[0])] : []),
    ];
  }

  return {
    mode,
    /** The file's label. */
    label: name,
    /** Returns the recorded answer, or `null` if it has to be requested. */
    find(key: string): Json | null {
      const found = fresh.get(key) ?? (mode === 'record' ? undefined : old.get(key));
      return found?.answer ?? null;
    },
    /** Notes a call that uses a recorded answer. If several calls are identical, the file names the first in order. */
    note(key: string, call: RecordedCall): void {
      used.add(key);
      const found = fresh.get(key);
      if (found === undefined) return;
      const own = { ...found, ...placesOf(call) };
      if (inOrder(own, found) < 0) fresh.set(key, own);
    },
    /**
     * Records an answer. @returns the answer as recorded. @throws CriteriaError WRITE_FAILED, CALL_FAILED for a value
     * that is not an answer, or INVALID_CONFIG for a wrong `redact`.
     */
    keep<T>(
      key: string,
      call: RecordedCall,
      { answer, isRedacted }: { readonly answer: T; readonly isRedacted: boolean },
      answers: Answers<T>,
    ): T {
      const packedAnswer = recordable(answers.pack(answer), answers, call);
      const safe = mask === null ? packedAnswer : mask.json(packedAnswer);
      const { packed, answer: kept } = redacted(safe, answers, isRedacted ? undefined : redact);
      const recorded = { key, ...placesOf(call), answer: packed };
      fresh.set(key, recorded);
      writer?.append(recorded);
      return kept;
    },
    /** Creates the error for a missing answer. */
    missing: (key: string, call: RecordedCall) => missingAnswer(file, call, [...old.values()], key),
    /** Writes the file in order and reports unused answers. Further calls do nothing. */
    close(): Promise<readonly Problem[]> {
      closed ??= finish();
      return closed;
    },
  };
}

/**
 * Checks that an answer can be recorded, because a service may return anything, and one bad line would make the whole
 * file unreadable.
 *
 * @throws CriteriaError CALL_FAILED
 */
function recordable(answer: Json, answers: Answers<unknown>, { target }: RecordedCall): Json {
  const refused = (why: string, cause?: unknown): CriteriaError =>
    new CriteriaError({ code: 'CALL_FAILED', message: `${target}: its answer cannot be recorded: ${why}` }, { cause });
  let text: string | undefined;
  try {
    text = stringifyJson(answer);
  } catch (error) {
    throw refused(`it is not JSON: ${(error as Error).message}`, error);
  }
  if (text === undefined) throw refused(`it is ${typeof answer}, which is not JSON`);
  if (text === 'null') throw refused('it is null, which means no answer');
  const packed: Json = parseJson(text);
  if (answers.unpack(packed) === null) throw refused('it has no text, no valid finish or no usage');
  return packed;
}

const recordAgain = 'run once with --recording FILE:auto, which records what is missing, and commit the file';

function placesOf({ kind, target, sample, caller }: RecordedCall): Omit<RecordedAnswer, 'key' | 'answer'> {
  const { name, turn, key } = caller;
  return { kind, to: target, by: name, setId: key.setId, caseId: key.caseId, repeat: key.repeat, turn, sample };
}

function placeOf({
  by,
  setId,
  caseId,
  repeat,
  turn,
  sample,
}: Omit<RecordedAnswer, 'key' | 'answer' | 'kind' | 'to'>): string {
  return stringifyJson([setId, caseId, repeat, by, turn, sample]);
}

function describe({ to, by, setId, caseId, repeat, turn, sample }: Omit<RecordedAnswer, 'key' | 'answer'>): string {
  const where = turn === null ? 'the conversation' : `turn ${turn + 1}`;
  const again = repeat === 0 ? '' : `, repeat ${repeat + 1}`;
  return `${by}: case "${caseId}" of "${setId}", ${where}${again}, sample ${sample + 1}, asked of ${to}`;
}

function missingAnswer(file: string, call: RecordedCall, old: readonly RecordedAnswer[], key: string): CriteriaError {
  const place = placesOf(call);
  const near = old.filter((one) => one.key !== key && placeOf(one) === placeOf(place));
  const models = [...new Set(near.map(({ to }) => to))];
  const why =
    near.length === 0
      ? ''
      : models.includes(call.target)
        ? '; it has an answer to a different request here: the prompt, the settings or the conversation have changed since it was recorded'
        : `; it has one of ${models.join(' and ')}`;
  const message = `no answer is recorded for ${describe(place)}${why}; ${recordAgain}`;
  return new CriteriaError({ code: 'RECORDING_MISSING', file, message });
}

function staleAnswers(file: string, stale: readonly RecordedAnswer[], first: RecordedAnswer): Problem {
  const count = stale.length === 1 ? '1 recorded answer was' : `${stale.length} recorded answers were`;
  const message = `${count} not used in this run, the first for ${describe(first)}; this is expected when only some cases run, otherwise they are outdated: delete the file and record again`;
  return { code: 'RECORDING_STALE', file, message };
}

function tornLine(file: string, mode: RecordingMode): Problem {
  const what = mode === 'replay' ? 'was skipped' : 'was cut off';
  const message = `the last line is incomplete and ${what}: a recording run was interrupted`;
  return { code: 'RECORDING_UNREADABLE', file, message };
}
