export { onAbort, untilAborted, wideController } from './abort.ts';
export { isHtml, pageInWords, titleOf } from './html.ts';
export {
  inTime,
  LONGEST_TIMER,
  noAnswerWithin,
  openTimeLimit,
  type TimeLimit,
  type TimeLimitOptions,
  timeInWords,
} from './time-limit.ts';
