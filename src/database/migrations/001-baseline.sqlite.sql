-- The title is cut, because a page is found sooner in a small index.
create index links_title on links
  (substr(lower(coalesce(title, destination_url)), 1, 100), id) where deleted_at is null;
