import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_CONTENT_VALUES } from '../../../domain/credentials/content-size.ts';
import type { TypeSelector } from '../../../domain/credentials/formats/facts.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { jsonPointer } from '../../../domain/foundation/field-paths.ts';
import { countBelow, type JsonObject } from '../../../domain/foundation/json.ts';
import { readConfigurations } from '../../../domain/issuer/configurations/configurations.ts';
import { readDisclosure } from '../../../domain/issuer/offers/disclosure-request.ts';
import { checkFlow, type FlowRequest, readFlow } from '../../../domain/issuer/offers/issuance-flow.ts';
import { type IssuanceRequest, readContent } from '../../../domain/issuer/offers/issuance-request.ts';
import { testFormats as formats } from '../../support/credentials/formats.ts';

const identifier = 'https://issuer.example/draft13';
const supported = {
  Degree: ['VerifiableCredential', 'Degree'],
  Card: { format: 'dc+sd-jwt', vct: 'urn:card:1', display: [{ name: 'Card' }] },
  Licence: 'org.iso.18013.5.1.mDL',
};
const configurations = readConfigurations(supported, { formats, identifier, version: 'draft13' });
const issuer = { configurations };
const issuerKey = { type: 'jwk' };
const issuerDid = 'did:web:issuer.example';

const read = (request: Partial<IssuanceRequest>, preferred?: TypeSelector) =>
  readContent({ issuerKey, ...request }, { issuer, formats, preferred });

/** The field that a reading names. */
const refusedField = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return jsonPointer((error as DomainError).details?.[0]?.path ?? ['nothing']);
  }
  return 'accepted';
};

const messageOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as DomainError).message;
  }
  return '';
};

const W3C = { issuerDid, credentialData: { type: ['VerifiableCredential', 'Degree'] } };
const MDOC = {
  docType: 'org.iso.18013.5.1.mDL',
  mdocData: { 'org.iso.18013.5.1': { given_name: 'Ada' } },
  x5Chain: ['PEM'],
};

describe('an issuance request', () => {
  it('finds its configuration by id, by its type, or by the last type of its data', () => {
    const found: [Partial<IssuanceRequest>, TypeSelector, string][] = [
      [{ ...W3C, credentialConfigurationId: 'Degree_jwt_vc_json' }, 'type', 'Degree_jwt_vc_json'],
      [W3C, 'type', 'Degree_jwt_vc_json'],
      [{ credentialData: W3C.credentialData }, 'vct', 'Degree_vc+sd-jwt'],
      [{ vct: 'urn:card:1' }, 'vct', 'Card'],
      [{ vct: `${identifier}/Degree` }, 'vct', 'Degree_vc+sd-jwt'],
      [MDOC, 'doc_type', 'Licence_mso_mdoc'],
    ];
    for (const [request, selector, id] of found)
      for (const permitted of [selector, undefined])
        if (permitted !== undefined || request.issuerDid || request.vct || request.docType)
          expect(read(request, permitted).configurationId, id).to.equal(id);
  });

  it('carries display data only when its mapping puts them into the credential', () => {
    const displayWith = (mapping: JsonObject) => read({ vct: 'urn:card:1', mapping }, 'vct').display;
    for (const mapping of [{ shown: '<display>' }, { a: { b: '<context:display>' } }])
      expect(displayWith(mapping)).to.deep.equal([{ name: 'Card' }]);
    for (const mapping of [{}, { id: '<uuid>', display: 'own', a: ['<display>'] }])
      expect(displayWith(mapping)).to.equal(undefined);
  });

  it('has as many values and names as readers take in all its members together, and is refused with one more', () => {
    const status = { type: 'Status' };
    const bases: [Partial<IssuanceRequest>, TypeSelector, (keyof IssuanceRequest)[]][] = [
      [{ ...W3C, credentialStatus: status, mapping: {} }, 'type', ['credentialData', 'credentialStatus', 'mapping']],
      [{ vct: 'urn:card:1', credentialData: {} }, 'vct', ['credentialData', 'sdJwtCredentialClaims', 'mapping']],
      [MDOC, 'doc_type', ['mdocStatus', 'mapping']],
    ];
    for (const [base, selector, members] of bases)
      for (const member of members) {
        const parts = ['credentialData', 'credentialStatus', 'mdocData'] as const;
        const others = parts.reduce((sum, part) => sum + countBelow(base[part]), 0);
        const wide = (items: number) => ({ ...Object(base[member]), wide: { list: Array(items).fill(0) } });
        // The two names and the two containers count as the items do.
        const most = MAX_CONTENT_VALUES - others - 4;
        const fieldWith = (items: number) => refusedField(() => read({ ...base, [member]: wide(items) }, selector));
        const last = parts.findLast((part) => base[part] !== undefined);
        const named = ['mapping', 'mdocStatus', 'sdJwtCredentialClaims'].includes(member) ? member : last;
        expect([fieldWith(most), fieldWith(most + 1)], member).to.deep.equal(['accepted', `/${named}`]);
      }
  });

  it('counts values and names of members as a reader of JSON meets them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        let met = -1;
        JSON.parse(JSON.stringify(value), (_, part) => {
          met += 1 + (typeof part === 'object' && part && !Array.isArray(part) ? Object.keys(part).length : 0);
          return part;
        });
        expect(countBelow(value)).to.equal(met);
      }),
    );
  });

  it('carries the type of its configuration and what its format has', () => {
    const status = { status_list: { idx: 1, uri: 'https://lists.example/1' } };
    expect(
      read({ vct: 'urn:card:1', credentialData: { a: 1 }, sdJwtCredentialClaims: { status } }, 'vct'),
    ).to.deep.include({
      format: 'dc+sd-jwt',
      type: 'urn:card:1',
      types: [],
      credentialData: { a: 1 },
      claims: { status },
    });
    const more = { mdocStatus: status, mdocValidityDays: 7, authorizedTransactionDataTypes: ['payment'] };
    expect(read({ ...MDOC, ...more }, 'doc_type')).to.deep.include({
      format: 'mso_mdoc',
      type: MDOC.docType,
      credentialData: MDOC.mdocData,
      credentialStatus: status,
      validityDays: 7,
      transactionDataTypes: ['payment'],
    });
  });

  const BODIES: Record<TypeSelector, Partial<IssuanceRequest>> = {
    type: W3C,
    vct: { credentialData: { given_name: 'Ada' } },
    doc_type: { ...MDOC, docType: undefined },
  };
  const kinds = Object.keys(BODIES) as TypeSelector[];

  it('the configuration decides on the format, at the operation of every kind', () => {
    for (const { id: credentialConfigurationId, format } of configurations.values())
      for (const operation of kinds)
        for (const credentialFormat of [undefined, format]) {
          const body = { ...BODIES[formats.get(format).selector], credentialConfigurationId, credentialFormat };
          expect(read(body, operation), `${operation} ${format}`).to.deep.include({
            configurationId: credentialConfigurationId,
            format,
          });
        }
  });

  it('a body that cannot make the format of the configuration is refused by its field, in every pair', () => {
    const fields: Record<TypeSelector, Partial<Record<TypeSelector, string>>> = {
      type: { vct: '/issuerDid', doc_type: '/mdocData' },
      vct: { doc_type: '/mdocData' },
      doc_type: { type: '/credentialData', vct: '/credentialData' },
    };
    for (const { id: credentialConfigurationId, format } of configurations.values())
      for (const [kind, field] of Object.entries(fields[formats.get(format).selector]))
        for (const operation of kinds) {
          const body = { ...BODIES[kind as TypeSelector], credentialConfigurationId };
          expect(
            refusedField(() => read(body, operation)),
            `${kind} as ${format}`,
          ).to.equal(field);
        }
  });

  it('without a configuration, the format or the operation says which one of a type is meant', () => {
    for (const [credentialFormat, operation, id] of [
      [undefined, 'vct', 'Degree_vc+sd-jwt'],
      [undefined, 'doc_type', 'Degree_jwt_vc_json'],
      ['jwt_vc', 'vct', 'Degree_jwt_vc_json'],
      ['vc+sd-jwt', 'type', 'Degree_vc+sd-jwt'],
    ] as const)
      expect(read({ ...W3C, credentialFormat }, operation).configurationId).to.equal(id);
  });

  it('a type without a configuration is refused with what the operator writes, which makes the request good', () => {
    const types = ['VerifiableCredential', 'Own'];
    const own: [Partial<IssuanceRequest>, string][] = [
      [{ ...W3C, credentialData: { type: types } }, '/credentialConfigurationId'],
      [{ ...W3C, credentialData: { type: types }, credentialFormat: 'vc+sd-jwt' }, '/credentialConfigurationId'],
      [
        { ...W3C, credentialConfigurationId: 'Own_jwt_vc_json', credentialData: { type: types } },
        '/credentialConfigurationId',
      ],
      [{ ...W3C, credentialConfigurationId: 'own-id', credentialData: { type: types } }, '/credentialConfigurationId'],
      [{ vct: 'urn:own:1' }, '/vct'],
      [{ ...MDOC, docType: 'org.example.own.1' }, '/docType'],
    ];
    for (const [request, field] of own) {
      const act = () => read(request, 'type');
      expect(refusedField(act)).to.equal(field);
      const [, entries = ''] =
        /credential-issuer-metadata\.conf, such as supportedCredentialTypes = (\{.*\}) beside/.exec(messageOf(act)) ??
        [];
      const added = readConfigurations(JSON.parse(entries), { formats, identifier, version: 'draft13' });
      const content = readContent(
        { issuerKey, ...request },
        { issuer: { configurations: added }, formats, preferred: 'type' },
      );
      expect(content.configurationId).to.equal(Object.keys(JSON.parse(entries))[0]);
    }
  });

  const refused: [string, Partial<IssuanceRequest>, TypeSelector, string][] = [
    ['nothing that names a credential', {}, 'vct', '/credentialConfigurationId'],
    ['a format that is not issued', { ...W3C, credentialFormat: 'ldp_vc' }, 'type', '/credentialFormat'],
    [
      'another format than that of the configuration',
      { ...W3C, credentialConfigurationId: 'Degree_jwt_vc_json', credentialFormat: 'vc+sd-jwt' },
      'type',
      '/credentialFormat',
    ],
    ['an unknown vct', { vct: 'urn:other' }, 'vct', '/vct'],
    ['an unknown docType', { ...MDOC, docType: 'org.other.a.b' }, 'doc_type', '/docType'],
    ['the vct of another configuration', { credentialConfigurationId: 'Card', vct: 'urn:other' }, 'vct', '/vct'],
    ['a docType in a configuration that has none', { ...W3C, docType: 'a.b.c' }, 'type', '/docType'],
    ['mdocData for an SD-JWT VC', { vct: 'urn:card:1', mdocData: {} }, 'vct', '/mdocData'],
    [
      'sdJwtCredentialClaims for a W3C credential',
      { ...W3C, sdJwtCredentialClaims: {} },
      'type',
      '/sdJwtCredentialClaims',
    ],
    ['credentialData for an mdoc', { ...MDOC, credentialData: {} }, 'doc_type', '/credentialData'],
    [
      'selectiveDisclosure for an mdoc',
      { ...MDOC, selectiveDisclosure: { fields: {} } },
      'doc_type',
      '/selectiveDisclosure',
    ],
    ['an mdoc without data', { ...MDOC, mdocData: undefined }, 'doc_type', '/mdocData'],
    ['an mdoc without certificates', { ...MDOC, x5Chain: undefined }, 'doc_type', '/x5Chain'],
    [
      'an mdoc whose mapping sets a claim of a JWT',
      { ...MDOC, mapping: { 'jwt:a': '<uuid>' } },
      'doc_type',
      '/mapping/jwt:a',
    ],
    ['an mdoc whose mapping sets no element of a namespace', { ...MDOC, mapping: { a: 1 } }, 'doc_type', '/mapping/a'],
    [
      'two statuses',
      { vct: 'urn:card:1', credentialStatus: {}, sdJwtCredentialClaims: { status: {} } },
      'vct',
      '/credentialStatus',
    ],
  ];
  for (const [title, request, selector, field] of refused)
    it(`${title} is refused by its field`, () => {
      expect(refusedField(() => read(request, selector))).to.equal(field);
    });
});

const flow: fc.Arbitrary<FlowRequest> = fc.record(
  {
    authenticationMethod: fc.constantFrom('PRE_AUTHORIZED', 'PWD', 'VP_TOKEN', 'ID_TOKEN', 'NONE'),
    standardVersion: fc.constantFrom('DRAFT11', 'DRAFT13'),
    issuanceType: fc.constantFrom('DEFERRED', 'IN_TIME'),
    useJar: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('the flow of an issuance request', () => {
  it('a batch has that of its first request; the others repeat it or leave it out', () => {
    fc.assert(
      fc.property(flow, fc.nat(4), (first, count) => {
        const batch = [first, ...Array.from({ length: count }, (_, index) => (index % 2 === 0 ? {} : first))];
        expect(readFlow(batch)).to.deep.equal(readFlow(first));
      }),
    );
  });

  it('another request that differs is refused by its place and member', () => {
    expect(refusedField(() => readFlow([{}, {}, { useJar: true }]))).to.equal('/2/useJar');
    expect(refusedField(() => readFlow([{ issuanceType: 'DEFERRED' }, { issuanceType: 'OTHER' }]))).to.equal(
      '/1/issuanceType',
    );
  });

  it('what is left out is an immediate issuance of draft 13 by a pre-authorized code', () => {
    expect(readFlow({})).to.deep.equal({
      authenticationMethod: 'PRE_AUTHORIZED',
      standardVersion: 'DRAFT13',
      isDeferred: false,
      useJar: false,
      byReference: true,
      vpRequestValue: undefined,
      vpProfile: undefined,
    });
  });

  it('a flow that is not available is refused by its member', () => {
    const check = (requests: FlowRequest | FlowRequest[], hasLoginServer = false) =>
      refusedField(() => checkFlow(requests, { hasLoginServer }));
    expect(check({ authenticationMethod: 'PWD' })).to.equal('/authenticationMethod');
    expect(check({ authenticationMethod: 'PWD' }, true)).to.equal('accepted');
    expect(check([{ authenticationMethod: 'VP_TOKEN' }])).to.equal('/0/vpRequestValue');
    expect(check({ txCode: {} })).to.equal('/txCodeValue');
    expect(check({ issuanceType: 'IN_TIME' })).to.equal('accepted');
  });
});

describe('a frame of selective disclosure', () => {
  it('is read at every depth', () => {
    const inner = { fields: { degree: { sd: true } }, decoyMode: 'FIXED', decoys: 2 };
    const frame = { fields: { name: { sd: false }, studies: { sd: true, children: inner } } };
    const read = readDisclosure(frame);
    expect(JSON.parse(JSON.stringify(read))).to.deep.equal(frame);
  });

  it('what is no frame is refused by its place', () => {
    const nested = (value: unknown) => ({ fields: { a: { sd: true, children: value } } });
    let deep: unknown = { fields: {} };
    for (let depth = 0; depth < 20; depth += 1) deep = nested(deep);
    const refused: [unknown, string][] = [
      [7, ''],
      [{}, '/fields'],
      [{ fields: { a: 1 } }, '/fields/a'],
      [{ fields: { a: {} } }, '/fields/a/sd'],
      [{ fields: {}, decoyMode: 'MANY' }, '/decoyMode'],
      [{ fields: {}, decoys: '2' }, '/decoys'],
      [{ fields: {}, other: 1 }, '/other'],
      [nested({ fields: {}, other: 1 }), '/fields/a/children/other'],
      [{ fields: { a: { sd: true, other: 1 } } }, '/fields/a/other'],
    ];
    for (const [frame, field] of refused)
      expect(
        refusedField(() => readDisclosure(frame)),
        field,
      ).to.equal(field);
    expect(refusedField(() => readDisclosure(deep))).to.include('/fields/a/children');
  });
});
