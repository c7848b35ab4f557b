export { isObject, onlyItem, textOf } from './answer-fields.ts';
export { fence, fenceMarker } from './fence.ts';
export { dialogueText, eventsText, groundingText, instructionsText, toolsText } from './judge-context.ts';
export { readAnswer } from './read-answer.ts';
