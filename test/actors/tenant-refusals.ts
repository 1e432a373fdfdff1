import { expect } from 'chai';
import { asForm, type EnterpriseFixture, may, oversized } from './tenant.ts';

/** An operation at a target, with what it is called with where nothing is wrong. */
export interface TargetedOperation {
  operationId: string;
  target: string;
  path?: Record<string, string>;
  json?: unknown;
}

/** What every operation at a target refuses: callers without a login or permission, unknown targets and other media types. */
export function refusesStrangers(world: () => EnterpriseFixture, operation: () => TargetedOperation): void {
  const call = (changes: object = {}) => {
    const { operationId, target, path, json } = operation();
    return world().server.call(operationId, { path: { target, ...path }, json, token: world().root, ...changes });
  };

  it('401: without a login', async () => {
    for (const token of ['', 'x']) expect((await call({ token })).status).to.equal(401);
  });

  it('403: without the permission', async () => {
    const { token } = await world().member([may('acme', 'resource-view')]);
    expect((await call({ token })).status).to.equal(403);
  });

  it('404: for a service of another type, an unknown one and one of another organization', async () => {
    const { target, path } = operation();
    const wrong = [target.replace(/^acme\.t1\.[^.]+/, 'acme.t1.kms1'), 'acme.absent', 'acme.t1.absent.x'];
    for (const one of wrong) expect((await call({ path: { ...path, target: one } })).status, one).to.equal(404);
    await world().server.call('createOrganization', { json: { _id: 'elsewhere' }, token: world().root });
    const { token } = await world().member([may('elsewhere')], 'elsewhere');
    expect((await call({ token })).status).to.equal(404);
  });
}

/** What operations with a body refuse besides. */
export function refusesBodies(world: () => EnterpriseFixture, { operationId, target }: TargetedOperation): void {
  const call = (body: object) => world().server.call(operationId, { ...body, path: { target }, token: world().root });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await call(oversized)).status).to.equal(413);
  });

  it('415: refuses other media types', async () => {
    expect((await call(asForm)).status).to.equal(415);
  });
}
