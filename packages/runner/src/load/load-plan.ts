import { dirname } from 'node:path';
import {
  CriteriaError,
  createRegistry,
  defaultRegistry,
  type EvalSet,
  isScenario,
} from '@agent-criteria/core';
