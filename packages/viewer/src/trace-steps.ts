export { type StepEvent, stepsOfTurn } from './steps-of-turn.ts';
export { isUntimed, type TraceStep } from './trace-step.ts';
export type { TurnEvent } from './turn-event.ts';
export { timeOfTurn, turnEvents } from './turn-events.ts';
