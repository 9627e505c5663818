import { parsePath } from '../config/configPath.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { chainFixes } from './fixes/chainFixes.ts';
import { endpointFixes } from './fixes/endpointFixes.ts';
import type { FixContext } from './fixes/fixContext.ts';
import { keyFixes } from './fixes/keyFixes.ts';
import type { ProblemFix } from './fixes/problemFix.ts';
import { secretFixes } from './fixes/secretFixes.ts';
import { valueFixes } from './fixes/valueFixes.ts';
import type { ModelsDocument } from './modelsDocuments.ts';

/**
 * What can be done about a problem by changing this document, the likeliest first; empty: a person has to think. The editor's quick
 * fixes and those of the form are these, in this order.
 */
export function problemFixes(doc: ModelsDocument, problem: ConfigProblem): readonly ProblemFix[] {
  const path = parsePath(problem.path);
  if (path === null || path.length === 0 || problem.line === 0) return [];
  return fixesOf({ doc, problem, path });
}

function fixesOf(context: FixContext): readonly ProblemFix[] {
  switch (context.problem.code) {
    case 'unknown_key':
    case 'bad_name':
    case 'missing_key':
    case 'not_active':
      return keyFixes(context);
    case 'wrong_value':
    case 'wrong_type':
    case 'out_of_range':
    case 'old_spelling':
      return valueFixes(context);
    case 'base_url_path':
    case 'same_endpoint':
    case 'public_address':
    case 'too_many_slots':
    case 'small_window':
    case 'anthropic_name':
      return endpointFixes(context);
    case 'chain_self':
    case 'chain_repeat':
    case 'chain_pinned':
    case 'chain_pool':
    case 'chain_billing':
    case 'unknown_model':
      return chainFixes(context);
    case 'literal_secret':
    case 'bad_reference':
      return secretFixes(context);
    default:
      return [];
  }
}
