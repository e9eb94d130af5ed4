import { sql, type Kysely } from 'kysely'
import { DAY_MS } from '../../timing/days.ts'
import { isPostgres } from '../dialects.ts'

/**
 * During an upgrade, processes of version 1.0.0 can run beside this version. They don't know the sums for reports and
 * the earlier destinations of links, so triggers fill these tables. The next release removes the triggers.
 */
export async function keepDataOf100(db: Kysely<never>): Promise<void> {
  const statements = isPostgres(db) ? POSTGRES : SQLITE
  for (const statement of statements) await sql.raw(statement).execute(db)
}

function utmValue(name: string): string {
  return `case utm_analytics_enabled when 1 then coalesce(utm_${name}, '') else '' end as utm_${name}`
}

const SEGMENT_VALUES = `links.owner_id, links.domain_id, ${['campaign', 'source', 'medium'].map(utmValue).join(', ')},
  coalesce(person_id, '') as person_id`

// SQL that adds all clicks of a link to a segment (1), or subtracts them (-1).
const addClicks = (
  link: string,
  sign: 1 | -1,
  segment = 'segment_id',
  condition = 'segment_id is not null',
): string => `
  insert into segment_clicks (segment_id, day, people)
    select ${segment}, cast(replace(day, '-', '') as integer), ${sign} * clicks.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = ${link} and ${condition} and clicks.people > 0
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;`

// It is not a whole statement: a further condition or `returning` can follow.
const ADD_SEGMENT = `
  insert into segments (owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select ${SEGMENT_VALUES}, coalesce(tags, '') from links where links.id = new.link_id`

// SQL for whether version 1.0.0 has changed a link. It doesn't move the link to another segment, so the link's values
// differ from those of its segment. Tags are not compared, because this version renames them in a segment later.
const IS_IN_OLD_SEGMENT = `exists (
  select 1 from click_totals join segments on segments.id = segment_id, (
    select ${SEGMENT_VALUES} from links where links.id = new.link_id
  ) as link where link_id = new.link_id and (segments.domain_id <> link.domain_id
    or segments.utm_campaign <> link.utm_campaign or segments.utm_source <> link.utm_source
    or segments.utm_medium <> link.utm_medium))`

// SQL that adds new clicks of a link to its segment. Version 1.0.0 has already added them to `clicks`, which doesn't
// say which ones are new. So all of them count for the link's latest day, even clicks around midnight.
const ADD_NEW_CLICKS = `
  insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(max(day), '-', '') as integer), new.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = new.link_id and segment_id is not null group by segment_id
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;`

// Earlier destinations of a deleted link are removed after this time.
const KEPT_MS = 90 * DAY_MS

const keepDestination = (destination: string): string => `
  insert into link_destinations (link_id, revision, destination_url, ended_at, made_by)
    select new.link_id, revision - 1, ${destination}, new.at, new.made_by
    from links where id = new.link_id and ${destination} is not null
    on conflict do nothing;`

const SQLITE = [
  // A row without an owner comes from version 1.0.0, which then adds the clicks to the existing row. If the link has no
  // segment, it gets one with all of its clicks, also those from before the upgrade. last_insert_rowid() stays the ID
  // of the segment, because segment_clicks is a table without row IDs.
  `create trigger clicks_of_1_0_0 before insert on click_totals when new.owner_id = '' and new.people > 0 begin
    ${ADD_NEW_CLICKS}
    ${ADD_SEGMENT} and exists (
      select 1 from click_totals where link_id = new.link_id and segment_id is null);
    ${addClicks('new.link_id', 1, 'last_insert_rowid()', 'segment_id is null')}
    update click_totals set segment_id = last_insert_rowid()
      where link_id = new.link_id and segment_id is null;
  end`,
  `create trigger deletions_of_1_0_0 before delete on click_totals begin
    ${addClicks('old.link_id', -1)}
    update link_destinations set remove_at = ended_at + ${KEPT_MS} where link_id = old.link_id;
  end`,
  `create trigger changes_of_1_0_0 after insert on link_history when ${IS_IN_OLD_SEGMENT} begin
    ${addClicks('new.link_id', -1)}
    ${ADD_SEGMENT};
    update click_totals set segment_id = last_insert_rowid() where link_id = new.link_id;
    ${addClicks('new.link_id', 1)}
  end`,
  `create trigger destinations_of_1_0_0 after insert on link_history begin
    ${keepDestination(`new.changes ->> '$.destination_url[0]'`)}
  end`,
]

const POSTGRES = [
  `create function count_clicks_of_1_0_0() returns trigger language plpgsql as $$
  declare segment bigint;
  begin
    update click_totals set people = people + new.people where link_id = new.link_id
      returning segment_id into segment;
    if new.people > 0 and found then
      if segment is null then
        ${ADD_SEGMENT} returning id into segment;
        update click_totals set segment_id = segment where link_id = new.link_id;
        ${addClicks('new.link_id', 1)}
      else
        ${ADD_NEW_CLICKS}
      end if;
    end if;
    return null;
  end $$`,
  `create trigger clicks_of_1_0_0 before insert on click_totals
    for each row when (new.owner_id = '') execute function count_clicks_of_1_0_0()`,
  `create function delete_clicks_of_1_0_0() returns trigger language plpgsql as $$ begin
    ${addClicks('old.link_id', -1)}
    update link_destinations set remove_at = ended_at + ${KEPT_MS} where link_id = old.link_id;
    return old;
  end $$`,
  `create trigger deletions_of_1_0_0 before delete on click_totals
    for each row execute function delete_clicks_of_1_0_0()`,
  `create function change_links_of_1_0_0() returns trigger language plpgsql as $$
  declare segment bigint;
  begin
    if ${IS_IN_OLD_SEGMENT} then
      ${addClicks('new.link_id', -1)}
      ${ADD_SEGMENT} returning id into segment;
      update click_totals set segment_id = segment where link_id = new.link_id;
      ${addClicks('new.link_id', 1)}
    end if;
    ${keepDestination(`new.changes::json #>> '{destination_url,0}'`)}
    return null;
  end $$`,
  `create trigger changes_of_1_0_0 after insert on link_history
    for each row execute function change_links_of_1_0_0()`,
]
