export { ComparedCaseView, type SideDetails } from './app/compared-case-view.tsx';
export { ComparedRunsView, type Side, shownCases } from './app/compared-runs-view.tsx';
export type { ComparedRuns } from './compared-runs.ts';
