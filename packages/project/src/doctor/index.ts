export { type CheckedNeeds, checkCriteria } from './check-criteria.ts';
export type { CheckedFile, FileContent } from './check-file.ts';
export { type CheckedModel, keyText } from './check-models.ts';
export type { CheckedService } from './check-services.ts';
export type { CheckedSet } from './check-sets.ts';
export { doctor, type Findings, type FoundPlugin } from './doctor.ts';
export type { InstalledPackage } from './installed-packages.ts';
export { type Validation, validateFiles } from './validate-files.ts';
