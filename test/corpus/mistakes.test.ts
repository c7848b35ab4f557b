import { replays } from './replay.ts';

replays('mistakes');
