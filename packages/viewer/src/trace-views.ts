export { ErrorStack } from './app/error-stack.tsx';
export { SimulatedMark } from './app/simulated-mark.tsx';
export { StepBar, StepTime } from './app/step-bar.tsx';
export { Trace } from './app/trace.tsx';
export { waterfall } from './waterfall.ts';
