export {
  type GeneratedScenario,
  type GeneratedScenarios,
  type GenerateScenariosOptions,
  generateScenarios,
  type ScenarioCoverage,
} from './generation/generate-scenarios.ts';
