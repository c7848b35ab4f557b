import { replays } from './replay.ts';

replays('evaluating');
