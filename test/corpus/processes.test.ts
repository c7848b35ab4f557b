import { replays } from './replay.ts';

replays('processes');
