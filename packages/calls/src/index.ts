export { isA2aUrl } from './a2a-url.ts';
export { onAbort, untilAborted, wideController } from './abort.ts';
export { DURATION_PATTERN, type Duration, toMilliseconds } from './duration.ts';
export { errorWords } from './error-words.ts';
export { isHtml, pageInWords } from './html.ts';
export { openSha256, randomHex, randomUUID, sha256 } from './node-crypto.ts';
export { openStubs, type ToolStubs } from './open-stubs.ts';
export {
  inTime,
  LONGEST_TIMER,
  noAnswerWithin,
  openTimeLimit,
  timeInWords,
} from './time-limit.ts';
export { keepPermissions, userFilePath, writeUserFile } from './user-file.ts';
export { withoutMetadataWarning } from './without-metadata-warning.ts';
export { writeFileWhole } from './write-file-whole.ts';
