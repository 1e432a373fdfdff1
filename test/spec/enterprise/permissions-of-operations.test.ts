import { expect } from 'chai';
import { admitTo } from '../../../adapters/http/edge/admission.ts';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { ACTIONS } from '../../../domain/tenancy/access/permissions.ts';
import { LISTS } from '../../../domain/tenancy/services/lists.ts';
import { SERVICE_TYPES } from '../../../domain/tenancy/tree/service-types.ts';
import { contract, operationOf } from '../../support/documents/contract.ts';

/** The operations at a target whose callers need something else than one permission there, which their services decide. */
const OTHERWISE: Record<string, string> = {
  createRole: 'full control',
  replaceRole: 'full control',
  deleteRole: 'full control',
  listRoleAccounts: 'full control',
  createApiKey: 'full control',
  createInvitation: 'full control',
  getWorkplace: 'any permission that reaches the target',
  decidePermission: 'permission-view, about another account',
};

/** Actions that no operation needs at its own target. */
const ELSEWHERE = ['service-use', 'permission-view'];

/** The operation that creates a child of each type of service; those of the others make them themselves. */
const CREATION: Record<string, string[]> = {
  kms: ['generateKey', 'importTenantKey'],
  'did-store': ['addDid', 'createTenantDid'],
  'credential-store': ['addCredential'],
  'policy-store': ['addStoredPolicy', 'addNamedPolicy'],
  'x509-store': ['addCertificate'],
  'vical-service': ['publishVical'],
  'trust-registry': ['addTrustedIssuer'],
  'credential-status': ['createStatusCredential'],
  verifier2: ['createSavedCheck'],
};

describe('the permissions of the operations', () => {
  let operations: Operation[];
  let actionOf: (operationId: string) => string | undefined;
  before(async () => {
    ({ operations } = await contract);
    actionOf = (operationId) => operations.find((known) => known.operationId === operationId)?.permission?.action;
  });

  it('rows: stand at every operation of a tenant that is called with a login, except where its service decides otherwise', () => {
    const atTarget = operations.filter(({ realm, path }) => realm === 'enterprise' && path.includes('{target}'));
    const open = atTarget.filter(({ permission }) => !permission).map(({ operationId }) => operationId);
    expect(atTarget).to.have.length.greaterThan(60);
    expect(open.toSorted()).to.deep.equal(Object.keys(OTHERWISE).toSorted());
  });

  it('rows: stand at no operation without a login', () => {
    const open = operations.filter(({ permission, realm, authentication }) => {
      return permission && (realm !== 'enterprise' || authentication !== 'required');
    });
    expect(open.map(({ operationId }) => operationId)).to.deep.equal([]);
  });

  it('are the actions of the domain, each of which an operation needs', () => {
    const named = new Set(operations.flatMap(({ permission }) => permission?.action ?? []));
    expect([...named, ...ELSEWHERE].toSorted()).to.deep.equal(Object.keys(ACTIONS).toSorted());
  });

  it('are those that the lists and the creation of children go on with', () => {
    for (const [operationId, { action }] of Object.entries(LISTS))
      expect(actionOf(operationId), operationId).to.equal(action);
    const created = Object.entries(SERVICE_TYPES).flatMap(([type, facts]) =>
      'children' in facts && 'create' in facts.children ? [[type, facts.children.create] as const] : [],
    );
    expect(created.map(([type]) => type).toSorted()).to.deep.equal(Object.keys(CREATION).toSorted());
    for (const [type, create] of created)
      for (const operationId of CREATION[type] ?? []) expect(actionOf(operationId), operationId).to.equal(create);
  });

  it('are asked at the target of the path, and those of verification sessions at the session', async () => {
    const asked: unknown[] = [];
    const access = {
      require: async (...all: unknown[]) => {
        asked.push(all);
        return { everything: true } as const;
      },
    };
    for (const operationId of ['signWithTenantKey', 'tenantGetVerificationSession', 'tenantGetIssuanceSession']) {
      const admit = admitTo(await operationOf(operationId), { access });
      const ctx = { params: { target: 'acme.service', sessionId: 's1' }, state: { caller: { accountId: 'ada' } } };
      expect(await admit?.(ctx as never)).to.deep.equal({ rights: { everything: true } });
    }
    expect(asked).to.deep.equal([
      ['ada', ['key-sign'], 'acme.service'],
      ['ada', ['verifier-session-view'], 'acme.service.s1'],
      ['ada', ['issuer-session-view'], 'acme.service'],
    ]);
  });

  it('that nothing decides on, or that are no actions, stop the start', async () => {
    const operation = await operationOf('signWithTenantKey');
    const access = { require: async () => ({ everything: true }) as const };
    expect(() => admitTo(operation, {})).to.throw('Nothing decides who may call signWithTenantKey');
    const misspelt = { ...operation, permission: { action: 'key-sing', at: '{target}' } };
    expect(() => admitTo(misspelt, { access })).to.throw('Nothing decides who may call signWithTenantKey');
  });
});
