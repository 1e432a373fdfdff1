import { useState } from 'preact/hooks';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { PagedList } from '../../shell/list.tsx';
import { may, type Office, OfficePage, officePage } from '../../shell/office.tsx';
import { go, to } from '../../shell/place.ts';
import { dependenciesOf, type Element, lastName, Named, Remove, readBelow } from '../../shell/remove.tsx';
import { texts } from '../../texts/texts.ts';

/** What is directly below an organization or a unit, to look at and to remove. */
export const ContentsPage = () => (
  <OfficePage title={texts().office.contents.title}>
    {(office) => <Contents key={office.here.target} office={office} />}
  </OfficePage>
);

const Contents = ({ office: { here, below } }: { office: Office }) => {
  const t = texts().office.contents;
  const [version, setVersion] = useState(0);
  const { target, type, name } = here;
  const above = target.slice(0, Math.max(0, target.lastIndexOf('.')));
  return (
    <>
      {may(here, 'resource-list') ? (
        <PagedList of={String(version)} empty={t.empty} read={(wanted) => readBelow(target, wanted)}>
          {(elements) => (
            <Table caption={t.caption} heads={[t.name, t.kind, t.uses, t.made, t.act]}>
              {elements.map((element) => (
                <Row
                  key={element._id}
                  element={element}
                  mayRemove={may(
                    below.find((one) => one.target === element._id),
                    'resource-delete',
                  )}
                  changed={() => setVersion(version + 1)}
                />
              ))}
            </Table>
          )}
        </PagedList>
      ) : null}
      {may(here, 'resource-delete') ? (
        <div class="actions">
          <Remove
            element={{ _id: target, type, name }}
            done={() => go(above === '' ? to('/office') : officePage(above), { replace: true })}
          />
        </div>
      ) : null}
    </>
  );
};

interface RowProps {
  element: Element;
  mayRemove: boolean;
  changed(): void;
}

const Row = ({ element, mayRemove, changed }: RowProps) => {
  const { contents: t, setUp } = texts().office;
  const { type = '', createdDateTime } = element;
  const kind = t.kinds[type] ?? setUp.services[type];
  return (
    <tr>
      <th scope="row" translate={false}>
        <Named element={element} />
      </th>
      <td translate={kind !== undefined}>{kind ?? type}</td>
      <td translate={false}>{dependenciesOf(element).map(lastName).join(', ')}</td>
      <td>
        <Moment at={createdDateTime} />
      </td>
      <td>{mayRemove ? <Remove element={element} done={changed} /> : null}</td>
    </tr>
  );
};
