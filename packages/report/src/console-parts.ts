export { consoleCalibration, placeText } from './calibration.ts';
export { consoleComparison } from './comparison.ts';
export {
  consoleCases,
  consoleFailures,
  consolePlan,
  consoleSummary,
  criterionRule,
  formatWarnings,
  timesText,
} from './console.ts';
export { limitNote } from './endings.ts';
export { stubLines } from './format-stubs.ts';
export { consoleOutcome, decidedText } from './gates.ts';
export { consoleNoise } from './noise.ts';
export { consolePower } from './power.ts';
export { foldProblems, problemText } from './problems.ts';
export { type ScoreText, scoreTexts } from './score-texts.ts';
