import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOtherModel } from '../../../../src/bridge/routing/isOtherModel.ts';

describe('isOtherModel', () => {
  const table: readonly (readonly [
    what: string,
    asked: string | null,
    answered: string | null,
    answersAs: readonly string[],
    learned: string | null,
    isOther: boolean,
  ])[] = [
    ['the same', 'glm-5', 'glm-5', [], null, false],
    ['another', 'glm-5', 'qwen-3', [], null, true],
    ['a longer name of the same family is another', 'glm-5', 'glm-5-air', [], null, true],
    ['the case of a name says nothing', 'glm-5', 'GLM-5', [], null, false],
    ['who does not say its name is nobody in particular', 'glm-5', null, [], null, false],
    ['nobody in particular was asked for', null, 'qwen-3', [], null, false],
    ['an alias by the table', 'glm-coding-plan', 'GLM-5.2', ['glm-5.2'], null, false],
    ['an alias of another', 'glm-coding-plan', 'qwen-3', ['glm-5.2'], null, true],
    ['an alias as it was learned', 'glm-coding-plan', 'glm-5.2', [], 'glm-5.2', false],
    ['another than what was learned', 'glm-coding-plan', 'qwen-3', [], 'glm-5.2', true],
  ];
  for (const [what, asked, answered, answersAs, learned, isOther] of table) {
    it(what, () => assert.equal(isOtherModel(asked, answered, { answersAs, learned }), isOther));
  }
});
