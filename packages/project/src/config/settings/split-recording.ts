/** How a recording is used, in the order of the reference. */
export const recordingModes = ['off', 'auto', 'record', 'replay'] as const;

export type RecordingMode = (typeof recordingModes)[number];

/** Whether another word stands where a mode should: `judge.jsonl:rewind`, `:rewind`. A name may have a colon: `odd:name`. */
export function hasUnknownMode(text: string): boolean {
  return /(^|\.\w+):[a-z]+$/i.test(text) && splitRecording(text).mode === undefined;
}

/**
 * `judge.jsonl:replay` -> its file and its mode. What follows the last colon is a mode only if it is one of these words, so that a drive
 * letter is none. `:record` has no file: that of the config is meant.
 */
export function splitRecording(text: string): {
  readonly file: string | undefined;
  readonly mode: RecordingMode | undefined;
} {
  const colon = text.lastIndexOf(':');
  const mode = recordingModes.find((word) => colon !== -1 && word === text.slice(colon + 1));
  const file = mode === undefined ? text : text.slice(0, colon);
  return { file: file === '' ? undefined : file, mode };
}
