export { isObject, onlyItem, textOf } from './answer-fields.ts';
export { askJudge, type JudgeAnswer } from './ask-judge.ts';
export { withContextWarning } from './context-warning.ts';
export {
  defineJudgeCriterion,
  type JudgeCriterion,
  type JudgeCriterionDefinition,
  type JudgeLabels,
  type JudgeMaterial,
} from './define-judge-criterion.ts';
export { estimateCalls } from './estimate-calls.ts';
export { fence, fenceMarker, type Material } from './fence.ts';
export {
  answerText,
  dialogueText,
  eventsText,
  groundingText,
  instructionsText,
  type JudgeContext,
  judgeContext,
  messageText,
  toolStepsText,
  toolsText,
} from './judge-context.ts';
export {
  type JudgeModelOptions,
  type JudgeOptions,
  type JudgeOptionsInput,
  judgeName,
  withJudgeOptions,
} from './options.ts';
export { limitFor } from './parallelism.ts';
export { type JudgePrompt, judgeRequest } from './prompt.ts';
export { type Reading, readAnswer } from './read-answer.ts';
export { ballotOf, collectSamples, type Opinion, opinionsEvidence, type Sample, voteScore, winnerOf } from './vote.ts';
