import { LlmAgent } from '@google/adk';
import { ScriptedModel, says } from '../../scripted-model.ts';

export const rootAgent = new LlmAgent({ name: 'echo', model: new ScriptedModel(({ text }) => says(text)) });
