/** The modes of a recording, in the order of the reference page. */
export const recordingModes = ['off', 'auto', 'record', 'replay'] as const;

export type RecordingMode = (typeof recordingModes)[number];

/**
 * Whether a string contains an unknown mode, such as `judge.jsonl:rewind`. A colon may also be part of a file name:
 * `odd:name`.
 */
export function hasUnknownMode(text: string): boolean {
  return /(^|\.\w+):[a-z]+$/i.test(text) && splitRecording(text).mode === undefined;
}

/**
 * Splits `judge.jsonl:replay` into file and mode. The text after the last colon only counts as a mode if it is known,
 * so that Windows paths work. `:record` has no file and applies to the one in the config.
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
