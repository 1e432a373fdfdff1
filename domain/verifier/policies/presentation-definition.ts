import { failed, passed, policy } from './policy.ts';

/** The `presentation-definition` policy: the query is satisfied, and no required relation between credentials is broken. */
export const presentationDefinition = policy({
  description: 'Checks that the presented credentials satisfy the presentation definition',
  vp: (_subject, { response: { query, matches, presentations, credentials } }) => {
    const missing = matches.flatMap(({ queryId, met }) => (met ? [] : queryId));
    if (!query.isSatisfied(matches))
      return failed('credentials-missing', {
        reason: `No presented credential satisfies ${missing.join(', ').slice(0, 200)}`,
        error: { type: 'PresentationDefinitionException', presentationDefinitionMatch: false, missing },
      });
    const broken = query.brokenConstraint(presentations, matches);
    if (broken)
      return failed(broken.constraint === 'limit_disclosure' ? 'discloses-too-much' : 'relation-broken', {
        reason: broken.constraintFailureDescription,
        error: { type: 'PresentationDefinitionRelationalConstraintException', ...broken },
      });
    return passed(credentials.map(({ type }) => type));
  },
});
