-- During an upgrade, processes of version 1.0.0 can run beside this version. They don't know the sums for reports and
-- the earlier destinations of links, so triggers fill these tables. The next release removes the triggers.

-- A row without an owner comes from version 1.0.0, which then adds the clicks to the existing row. It has already added
-- them to `clicks`, which doesn't say which ones are new. So all of them count for the link's latest day, even clicks
-- around midnight. If the link has no segment, it gets one with all of its clicks, also those from before the upgrade.
-- last_insert_rowid() stays the ID of the segment, because segment_clicks is a table without row IDs.
create trigger clicks_of_1_0_0 before insert on click_totals when new.owner_id = '' and new.people > 0 begin
  insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(max(day), '-', '') as integer), new.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = new.link_id and segment_id is not null group by segment_id
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
  insert into segments (owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select owner_id, domain_id,
      case utm_analytics_enabled when 1 then coalesce(utm_campaign, '') else '' end,
      case utm_analytics_enabled when 1 then coalesce(utm_source, '') else '' end,
      case utm_analytics_enabled when 1 then coalesce(utm_medium, '') else '' end,
      coalesce(person_id, ''), coalesce(tags, '')
    from links where id = new.link_id
      and exists (select 1 from click_totals where link_id = new.link_id and segment_id is null);
  insert into segment_clicks (segment_id, day, people)
    select last_insert_rowid(), cast(replace(day, '-', '') as integer), clicks.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = new.link_id and segment_id is null and clicks.people > 0
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
  update click_totals set segment_id = last_insert_rowid()
    where link_id = new.link_id and segment_id is null;
end;

-- Earlier destinations of a deleted link are removed after 90 days.
create trigger deletions_of_1_0_0 before delete on click_totals begin
  insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(day, '-', '') as integer), -clicks.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = old.link_id and segment_id is not null and clicks.people > 0
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
  update link_destinations set remove_at = ended_at + 7776000000 where link_id = old.link_id;
end;

-- Version 1.0.0 doesn't move a link that it changes to another segment, so the link's values differ from those of its
-- segment. Tags are not compared, because this version renames them in a segment later.
create trigger changes_of_1_0_0 after insert on link_history when exists (
  select 1 from click_totals join segments on segments.id = segment_id join links on links.id = link_id
  where link_id = new.link_id and (
    segments.domain_id <> links.domain_id
    or segments.utm_campaign <>
      case utm_analytics_enabled when 1 then coalesce(links.utm_campaign, '') else '' end
    or segments.utm_source <>
      case utm_analytics_enabled when 1 then coalesce(links.utm_source, '') else '' end
    or segments.utm_medium <>
      case utm_analytics_enabled when 1 then coalesce(links.utm_medium, '') else '' end
  )
) begin
  insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(day, '-', '') as integer), -clicks.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = new.link_id and segment_id is not null and clicks.people > 0
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
  insert into segments (owner_id, domain_id, utm_campaign, utm_source, utm_medium, person_id, tags)
    select owner_id, domain_id,
      case utm_analytics_enabled when 1 then coalesce(utm_campaign, '') else '' end,
      case utm_analytics_enabled when 1 then coalesce(utm_source, '') else '' end,
      case utm_analytics_enabled when 1 then coalesce(utm_medium, '') else '' end,
      coalesce(person_id, ''), coalesce(tags, '')
    from links where id = new.link_id;
  update click_totals set segment_id = last_insert_rowid() where link_id = new.link_id;
  insert into segment_clicks (segment_id, day, people)
    select segment_id, cast(replace(day, '-', '') as integer), clicks.people
    from clicks join click_totals on click_totals.link_id = clicks.link_id
    where clicks.link_id = new.link_id and segment_id is not null and clicks.people > 0
    on conflict (segment_id, day) do update set people = segment_clicks.people + excluded.people;
end;

create trigger destinations_of_1_0_0 after insert on link_history begin
  insert into link_destinations (link_id, revision, destination_url, ended_at, made_by)
    select new.link_id, revision - 1, new.changes ->> '$.destination_url[0]', new.at, new.made_by
    from links where id = new.link_id and new.changes ->> '$.destination_url[0]' is not null
    on conflict do nothing;
end;
