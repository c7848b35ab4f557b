// For agents that support stubs of their tools.
export { openStubs, type StubbedCall, type ToolStubs } from './stubs/open-stubs.ts';
