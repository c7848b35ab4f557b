export { configSource } from './config-source.ts';
export { formatTime } from './format-time.ts';
export { maskedNote } from './masked-note.ts';
export { commitText, runFactsText } from './run-facts.ts';
export { selectionText } from './selection.ts';
export {
  gatesText,
  gateTitle,
  gateWord,
  type RunWithOutcome,
  type ShownOutcome,
  shownOutcome,
} from './shown-outcome.ts';
export { type RunTiming, timing } from './timing.ts';
export { formatCost, tokensText, usageText } from './usage.ts';
