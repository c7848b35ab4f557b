export { askPort } from './ask-port.ts';
export { checkAnswers } from './check-answers.ts';
export { differenceOf } from './compare-output.ts';
export { readRows } from './rows.ts';
