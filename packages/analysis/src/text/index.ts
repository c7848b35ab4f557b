export { drawText, kindName, strengthText } from './agreement.ts';
export { changeCells } from './change-cells.ts';
export { comparisonNotes } from './comparison-notes.ts';
export { intervalText, percentText, plainText, pointsText, valueText, writtenPercent } from './numbers.ts';
export { powerSentence } from './power.ts';
export { runChangesText, verdictGroups } from './run-changes.ts';
export { briefStatistics, type StatisticsSection, statisticsSections } from './statistics.ts';
