export { isObject, onlyItem, textOf } from './answer-fields.ts';
export { fence, fencedQuestion, fenceMarker } from './fence.ts';
export { dialogueText, eventsText, groundingText, instructionsText, toolsText } from './judge-context.ts';
export { readAnswer } from './read-answer.ts';
export { readText } from './read-text.ts';
export { repairRequest } from './repair-request.ts';
